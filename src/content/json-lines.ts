import type { z } from 'zod';
import { faultsIn, inWords, type Fault } from './fault.ts';

export interface Line<T> {
  /** From 1. */
  line: number;
  value: T;
}

/** One JSON object a line (https://jsonlines.org); blank lines are passed over. */
export function parseJsonLines<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
): { lines: Line<T>[]; faults: Fault[] } {
  const lines: Line<T>[] = [];
  const faults: Fault[] = [];
  let line = 0;
  for (const source of text.split('\n')) {
    line++;
    if (source.trim() === '') continue;
    let input: unknown;
    try {
      input = JSON.parse(source);
    } catch (error) {
      faults.push({ file, line, field: '', reason: `broken JSON: ${(error as Error).message}` });
      continue;
    }
    const parsed = schema.safeParse(input, { error: inWords });
    if (parsed.success) lines.push({ line, value: parsed.data });
    else {
      for (const { path, ...fault } of faultsIn(parsed.error, input)) {
        faults.push({ file, line, field: path.join('.'), ...fault });
      }
    }
  }
  return { lines, faults };
}
