import type { Family, Row, Scale } from './family.ts';
import type { Result } from './report.ts';

/** Runs one family. If it throws or measures nothing, that is a failed row. */
export async function attack(family: Family, scale: Scale): Promise<Result[]> {
  const rows = await family.run(scale).catch((error: Error) => [unable(error.message)]);
  const all = rows.length > 0 ? rows : [unable('nothing was measured')];
  return all.map((row) => ({ family: family.name, ...row }));
}

function unable(reason: string): Row {
  return {
    what: 'the attack itself',
    value: reason.replace(/\s+/g, ' '),
    bound: 'runs',
    ok: false,
  };
}
