import { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, types } from 'pg';
import type { Logger } from '../base/log.ts';
import { Store } from './store.ts';

const CONNECTIONS = 8;
const STATEMENT_MS = 15_000;
const CONNECT_MS = 5_000;
/** Longer than a statement may take, and than the pool keeps an idle connection. */
const SILENCE_MS = 20_000;
/** The oid of bigint; ids and milliseconds fit into a number exactly. */
const BIGINT = 20;

/**
 * Opens a connection pool to a PostgreSQL database; it connects on first use.
 *
 * @param clock replaces the database's clock, in tests
 * @param silenceMs milliseconds of silence after which a connection is closed
 */
export function openPostgres<Tables>(
  url: string,
  logger: Logger,
  clock?: () => number,
  silenceMs = SILENCE_MS,
): Store<Tables> {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    stream: () => socketWithin(silenceMs),
    application_name: 'reviews-hub',
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === BIGINT ? Number : types.getTypeParser(oid, format)) as never,
    },
  });
  // Without a listener an error ends the process: on the pool for idle connections, on each client
  // for one in use while the database restarts.
  const report = (error: Error) => logger.log('warn', 'database connection lost', { error });
  pool.on('error', report);
  pool.on('connect', (client) => void client.on('error', report));
  // The statement's time, which is constant, so that an index can be used.
  const own = sql<number>`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`;
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return new Store('postgresql', db, clock ?? own);
}

/**
 * Limits the silence of a connection whose host or network is gone. The database itself ends slow
 * statements.
 */
function socketWithin(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => {
    const error = new Error(`the database said nothing for ${silenceMs} ms`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}
