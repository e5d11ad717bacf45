import { hash } from 'node:crypto';
import sample from './sample.json' with { type: 'json' };

/** The business that the program comes with. */
export const SAMPLE_NAME = sample.name;

const FINGERPRINTS = new Set(sample.fingerprints);
/** Separators of sentences, strings of JSON, paragraphs, and front matter from text. */
const SEPARATORS = /[.!?](?=["\s]|$)|"|\r?\n(?:---|[ \t]*)\r?\n/;
/** Shorter pieces are words that any business may use. */
const PIECE_MIN_LENGTH = 12;
const REVIEW_ID = /"id":\s*"([0-9A-Z]{26})"/;

/** A piece of the sample in a file. */
interface SamplePiece {
  /** From 1. */
  line: number;
  text: string;
}

/**
 * Returns the first piece of the sample on each line of a file; the first one of all in a file of
 * reviews or changes, which are recognized by their ids.
 */
export function findSample(path: string, text: string): SamplePiece[] {
  const found: SamplePiece[] = [];
  if (/^(journal|reviews)\//.test(path)) {
    for (const [index, row] of text.split('\n').entries()) {
      const id = REVIEW_ID.exec(row)?.[1];
      if (id !== undefined && FINGERPRINTS.has(fingerprint(id))) {
        return [{ line: index + 1, text: id }];
      }
    }
    return found;
  }
  let line = 1;
  for (const part of text.split(new RegExp(`(${SEPARATORS.source})`))) {
    const piece = part.trim();
    const at = line + part.slice(0, part.indexOf(piece)).split('\n').length - 1;
    line += part.split('\n').length - 1;
    if (piece.length < PIECE_MIN_LENGTH || found.at(-1)?.line === at) continue;
    if (FINGERPRINTS.has(fingerprint(piece))) found.push({ line: at, text: piece });
  }
  return found;
}

/** Returns the pieces of a text that a fingerprint is made of. */
export function piecesOf(text: string): string[] {
  return text
    .split(SEPARATORS)
    .map((piece) => piece.trim())
    .filter(({ length }) => length >= PIECE_MIN_LENGTH);
}

/** Returns a hash of a text that line breaks and spaces do not change. */
export function fingerprint(text: string): string {
  return hash('sha256', text.replaceAll(/\s+/g, ' ')).slice(0, 12);
}
