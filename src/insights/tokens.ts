/** A word of a text, with where it stands. */
export interface Token {
  /** As written. */
  text: string;
  /** NFC, lower case, straight apostrophes, without a possessive ’s. */
  lower: string;
  /** Offsets into the text, end exclusive. */
  start: number;
  end: number;
  /** What stands between the word before and this one. */
  gap: string;
  /** Whether a sentence, a line or the text begins with it. */
  startsSentence: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’.&/-][\p{L}\p{N}\p{M}]+)*/gu;
const POSSESSIVE = /'s$/;
const SENTENCE_END = /[.!?…\n]/;

/** The words of a text, in order. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    const gap = text.slice(end, match.index);
    tokens.push({
      text: word,
      lower: lowerForm(word),
      start: match.index,
      end: match.index + word.length,
      gap,
      startsSentence: end === 0 || SENTENCE_END.test(gap),
    });
    end = match.index + word.length;
  }
  return tokens;
}

function lowerForm(word: string): string {
  return word.normalize('NFC').toLowerCase().replaceAll('’', "'").replace(POSSESSIVE, '');
}
