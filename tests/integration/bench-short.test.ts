import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { short } from '../bench/benches/short.ts';
import { LoadClient } from '../bench/load/load-client.ts';
import { table, type Row } from '../bench/report.ts';
import { smallEdition } from '../support/edition-folder.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';

/** Written on a quiet machine for each release, see RELEASING.md. */
const LAST = join(ROOT, 'tests/bench/last-release.json');

test('the short bench measures every ratio, and shows it beside that of the last release', async (context) => {
  const client = new LoadClient();
  context.after(() => client.close());
  const rows = await short(client, await smallEdition(), await temporaryFolder(context));
  const last = await readFile(LAST, 'utf8').then(
    (text) => JSON.parse(text) as Row[],
    () => undefined,
  );
  // Not compared with a bound: beside other tests a ratio may be off by a third.
  for (const line of table(rows, last).split('\n')) console.log(line);
  assert.ok(rows.every(({ ratio }) => ratio !== undefined && ratio > 0));
});
