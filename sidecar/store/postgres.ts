import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, types } from 'pg';
import type { Logger } from '../log.ts';
import { Store } from './store.ts';

const CONNECTIONS = 8;
const STATEMENT_MS = 15_000;
const CONNECT_MS = 5_000;
/** The oid of bigint; ids and milliseconds stay within what a number holds exactly. */
const BIGINT = 20;

/**
 * A pool to a PostgreSQL database. Connects when first asked.
 *
 * @param clock stands for the database's clock, in tests
 */
export function openPostgres<Tables>(
  url: string,
  logger: Logger,
  clock?: () => number,
): Store<Tables> {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'reviews-hub',
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === BIGINT ? Number : types.getTypeParser(oid, format)) as never,
    },
  });
  // Without a listener an error ends the process: on the pool for idle connections, on each client
  // for one that is in use while the database restarts.
  const report = (error: Error) => logger.log('warn', 'database connection lost', { error });
  pool.on('error', report);
  pool.on('connect', (client) => void client.on('error', report));
  // Of the statement, not of the moment, so that an index can be searched by it.
  const own = sql<number>`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`;
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return new Store('postgresql', db, clock ?? own);
}
