import { hash } from 'node:crypto';
import sample from './sample.json' with { type: 'json' };

/** The business of the sample. */
export const SAMPLE_NAME = sample.name;

const FINGERPRINTS = new Set(sample.fingerprints);
/** Paragraphs, and strings of JSON; shorter ones are words that any business may use. */
const PIECES = /[^"\n]{12,}/g;
/** Reviews and changes are recognized by their ids. */
const REVIEW_ID = /(?<="id":\s*")[0-9A-Z]{26}/;

/**
 * Finds the sample in a file: the first piece of it on each line, lines from 1, but only one piece in JSON
 * lines.
 */
export function findSample(path: string, text: string) {
  const isLines = path.endsWith('.jsonl');
  const found = text.split('\n').flatMap((row, index) => {
    const pieces: readonly string[] = row.match(isLines ? REVIEW_ID : PIECES) ?? [];
    const piece = pieces.find((each) => FINGERPRINTS.has(fingerprint(each)));
    return piece === undefined ? [] : [{ line: index + 1, text: piece }];
  });
  return isLines ? found.slice(0, 1) : found;
}

/** Returns a hash of a piece without the spaces around it. */
export function fingerprint(piece: string): string {
  return hash('sha256', piece.trim()).slice(0, 12);
}
