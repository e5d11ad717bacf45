/** Names of machines that read reviews. Claude, Gemini and Dan are left out: they may be people. */
const MACHINE = String.raw`(?:AIs?|LLMs?|(?:large )?language models?|(?:AI|virtual) (?:assistant|agent|model|system)s?|chat ?bots?|ChatGPT|GPT(?:-?\d\w*)?|Copilot)`;

/** Words of people rarely come this far apart in one order. */
const GAP = '[^.!?]{0,40}';

const PATTERNS = [
  // Orders to set aside other orders, in four languages.
  String.raw`\b(?:ignore|disregard|forget|override|bypass)\b${GAP}\b(?:(?:all|any|previous|prior|above|earlier|preceding|your|system)\b${GAP}\b(?:instructions?|prompts?|guidelines|directives|guardrails|programming)|instructions? (?:above|before))\b`,
  String.raw`\b(?:ignora|olvida|ignoriere|vergiss|ignorez|oubliez|oublie)\b${GAP}\b(?:instrucciones|Anweisungen|instructions|consignes)\b`,
  // Names of what only a machine has.
  String.raw`\b(?:system|developer) (?:prompt|message|instructions?|override)\b`,
  String.raw`\b(?:new|updated|hidden|secret) (?:system )?instructions?\s*:`,
  String.raw`\b(?:jailbreak|prompt injection)\b`,
  // Speech to a machine, or as one.
  String.raw`\byou are (?:now |actually |really )?(?:an? |the )?(?:[a-z]+ )?${MACHINE}\b`,
  String.raw`\b(?:act|behave|respond|answer|pretend to be) (?:as |like )?(?:an? )?(?:unrestricted |unfiltered )?${MACHINE}\b`,
  String.raw`\b(?:attention|dear|hello|hey|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|if you are|to) (?:any |all |an? |the )?${MACHINE}\b`,
  String.raw`\b${MACHINE}(?: (?:reading|that reads?|which reads?|summari[sz]ing|processing) [^.!?]{0,40})?,? (?:must|should|shall|please|(?:is|are) (?:instructed|required|ordered|asked))\b`,
  String.raw`\bas an? ${MACHINE}\b`,
  // Forged turns, tool calls and results.
  String.raw`<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>`,
  String.raw`</?(?:system|assistant|user|human|tool_(?:result|call|use)|function_(?:results|calls))\b[^>]*>`,
  String.raw`(?:^|\n|\\n|")[^\S\n]*(?:#+ *)?(?:system|assistant|human)(?: message)?\s*:`,
  String.raw`"role\\*"\s*:\s*\\*"(?:system|assistant|user|tool)\b|"jsonrpc\\*"\s*:`,
  String.raw`\b(?:call|invoke|run|use|execute)\b (?:the )?(?:(?:tool|function) )?\w+_\w+\s*\(`,
];
const ADDRESSES_MACHINE = new RegExp(PATTERNS.join('|'), 'i');

/**
 * Tells whether a text seems to address a machine that reads it instead of people. Such a text is
 * published like any other; whoever hands it to a machine can say so. The text may be JSON.
 */
export function addressesMachine(text: string): boolean {
  return ADDRESSES_MACHINE.test(text);
}
