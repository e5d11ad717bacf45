import { after, describe } from 'node:test';
import { openPostgres } from '../../sidecar/store/postgres.ts';
import { openSqlite } from '../../sidecar/store/sqlite.ts';
import type { HubStore } from '../../sidecar/hub/store/tables.ts';
import { silent } from './edition.ts';
import { onPostgres, PostgresServer } from './postgres.ts';
import { SLOW } from './slow.ts';

/** A database engine that the hub runs on. */
export interface Engine {
  /**
   * Opens a store without tables.
   *
   * @param clock replaces the database's clock
   */
  open(clock?: () => number): Promise<HubStore>;
}

export const onSqlite: Engine = {
  open: async (clock) => openSqlite(':memory:', clock),
};

/** Defines a suite for each engine; PostgreSQL's is skipped if it is not installed. */
export function forEachEngine(define: (engine: Engine) => void): void {
  describe('on SQLite', SLOW, () => define(onSqlite));
  describe('on PostgreSQL', { ...onPostgres, ...SLOW }, () => {
    define({
      open: async (clock) => openPostgres(await postgresDatabase(), silent, clock),
    });
  });
}

let server: Promise<PostgresServer> | undefined;
after(async () => (await server)?.[Symbol.asyncDispose]());

/** Returns the URL of an empty database, on a server that the test files of the process share. */
export async function postgresDatabase(): Promise<string> {
  return (await (server ??= PostgresServer.start())).database();
}
