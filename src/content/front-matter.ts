import type { z } from 'zod';
import { faultsIn, inWords, type Fault } from './fault.ts';
import { Positions } from './positions.ts';

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Markdown under a YAML head. `body` is trimmed Markdown and never empty. */
export function parseFrontMatter<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
): { value?: { head: T; body: string; positions: Positions }; faults: Fault[] } {
  const match = FRONT_MATTER.exec(text);
  if (!match) {
    const reason = 'must begin with front matter between two lines of ---';
    return { faults: [{ file, line: 1, field: '', reason }] };
  }
  const positions = new Positions(match[1]!, 1);
  const broken = positions.document.errors.map((error) => ({
    file,
    line: positions.lineAt(error.pos[0]),
    field: '',
    reason: `broken YAML: ${error.message}`,
  }));
  if (broken.length > 0) return { faults: broken };

  const input: unknown = positions.document.toJS();
  const parsed = schema.safeParse(input, { error: inWords });
  const body = text.slice(match[0].length).trim();
  const faults = parsed.success ? [] : positions.locate(faultsIn(parsed.error, input), file);
  if (body === '') faults.push({ file, line: 0, field: '', reason: 'has no text below its head' });
  return parsed.success && faults.length === 0
    ? { value: { head: parsed.data, body, positions }, faults }
    : { faults };
}
