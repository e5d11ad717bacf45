import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { issuesOf, NEW_FIELDS, type NewAnswers } from './new-answers.ts';

interface Conversation {
  /** The terminal. */
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** The file that keeps answers until {@link forgetAnswers}: an interrupted conversation goes on there. */
  draft: string;
  /** Proposes that no server runs beside the files. */
  filesOnly: boolean;
}

/**
 * Asks for each fact that is not given, again if the answer could not be published. What was answered
 * before an interruption is proposed.
 *
 * @throws once the terminal is closed, or Ctrl-C is pressed
 */
export async function converse(
  given: NewAnswers,
  { input, output, draft, filesOnly }: Conversation,
): Promise<NewAnswers> {
  const kept = existsSync(draft) ? (JSON.parse(readFileSync(draft, 'utf8')) as NewAnswers) : {};
  const terminal = createInterface({ input, output });
  // Lines that are pasted together arrive before they are asked for, and the end after them too.
  const lines = terminal[Symbol.asyncIterator]();
  let isClosed = false;
  terminal.once('close', () => (isClosed = true));
  const ask = async (question: string): Promise<string> => {
    terminal.setPrompt(question);
    if (isClosed) output.write(question);
    else terminal.prompt();
    const { done, value } = await lines.next();
    if (!done) return value.trim();
    throw new Error(`\nStopped: nothing was written. The answers so far are kept in ${draft}`);
  };
  const answers = { ...given };
  try {
    for (const [field, { ask: question, isRequired, propose }] of NEW_FIELDS) {
      while (answers[field] === undefined) {
        const proposed = kept[field] || ((await propose?.(answers)) ?? '');
        const shown = proposed === '' ? question : `${question} (${proposed})`;
        const answer = (await ask(`${shown}: `)) || proposed;
        const issues = issuesOf({ ...answers, [field]: answer });
        if (isRequired && answer === '') issues.push('This is needed.');
        for (const issue of issues) output.write(`${issue}\n`);
        delete kept[field];
        if (issues.length > 0) continue;
        answers[field] = answer;
        writeFileSync(draft, JSON.stringify({ ...kept, ...answers }, null, 2));
      }
    }
    const usual = filesOnly ? 'y/N' : 'Y/n';
    const server = `Will a server run beside the files, for MCP and pushes? [${usual}] `;
    answers.sidecar ??= (await ask(server)) || (filesOnly ? 'n' : 'y');
    return answers;
  } finally {
    terminal.close();
  }
}

/** Removes the answers kept for an interruption. */
export function forgetAnswers(draft: string): void {
  rmSync(draft, { force: true });
}
