import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { HubStore } from '../../sidecar/hub/store/tables.ts';
import { ROOT } from './fixtures.ts';
import { run } from './run.ts';

// Of each released version: an edition of a few files that its build wrote, and the store of its hub,
// with a subscription to the Atom feed whose secret SECRETS of the tests sealed, and a request that waits.

const RELEASES = join(ROOT, 'tests/fixtures/releases');

/** The released versions, oldest first. */
export const releases = readdirSync(RELEASES).sort();

/** Unpacks the edition of a release into a folder. */
export async function unpackEdition(release: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await run('tar', ['xzf', join(RELEASES, release, 'edition.tar.gz'), '-C', folder]);
}

/** Fills an empty database with the store of a release. */
export async function fillStore(release: string, { db, engine }: HubStore): Promise<void> {
  const dump = readFileSync(join(RELEASES, release, `hub-${engine}.sql`), 'utf8');
  for (const statement of dump.split(/;\n/)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
