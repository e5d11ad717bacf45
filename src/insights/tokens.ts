/** A word of a text, with where it stands. */
export interface Token {
  /** As written. */
  text: string;
  /** Lower case, straight apostrophes, without a possessive ’s. */
  lower: string;
  /** Whether a sentence, a line or the text begins with it. */
  startsSentence: boolean;
}

const WORD = /[\p{L}\p{N}]+(?:['’.&/-][\p{L}\p{N}]+)*/gu;
const POSSESSIVE = /'s$/;
const SENTENCE_END = /[.!?…:\n]/;

/** The words of a text, in order. */
export function tokenize(text: string): Token[] {
  const normal = text.normalize('NFC');
  const tokens: Token[] = [];
  let end = 0;
  for (const match of normal.matchAll(WORD)) {
    const word = match[0];
    tokens.push({
      text: word,
      lower: word.toLowerCase().replaceAll('’', "'").replace(POSSESSIVE, ''),
      startsSentence: end === 0 || SENTENCE_END.test(normal.slice(end, match.index)),
    });
    end = match.index + word.length;
  }
  return tokens;
}
