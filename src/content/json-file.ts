import type { z } from 'zod';
import { faultsIn, inWords, type Fault } from './fault.ts';
import { Positions } from './positions.ts';

/** One JSON document, every fault with the line of its field. */
export function parseJsonFile<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
): { value?: T; faults: Fault[] } {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const line = Number(/\(line (\d+) column \d+\)/.exec(message)?.[1] ?? endLine(text));
    return { faults: [{ file, line, field: '', reason: `broken JSON: ${message}` }] };
  }
  const parsed = schema.safeParse(input, { error: inWords });
  if (parsed.success) return { value: parsed.data, faults: [] };
  return { faults: new Positions(text).locate(faultsIn(parsed.error, input), file) };
}

function endLine(text: string): number {
  return text.trimEnd().split('\n').length;
}
