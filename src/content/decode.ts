import type { Fault } from './fault.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes to text. Anything but UTF-8 is a fault that names the first bad line. */
export function decode(bytes: Uint8Array, file: string): { text: string } | { fault: Fault } {
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { fault: { file, line: firstBadLine(bytes), field: '', reason: 'is not valid UTF-8' } };
  }
}

const NEWLINE = 10;

function firstBadLine(bytes: Uint8Array): number {
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    try {
      utf8.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end;
  }
  return 0;
}
