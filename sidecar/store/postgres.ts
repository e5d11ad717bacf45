import { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql, type RawBuilder, type Transaction } from 'kysely';
import { Pool, types } from 'pg';
import type { Logger } from '../base/log.ts';
import { RefusedStoreError } from './errors.ts';
import { Store, type Session } from './store.ts';

const CONNECTIONS = 8;
const STATEMENT_MS = 15_000;
const CONNECT_MS = 5_000;
/** Longer than a statement may take, and than the pool keeps an idle connection. */
const SILENCE_MS = 20_000;
/** The oid of bigint; ids and milliseconds fit into a number exactly. */
const BIGINT = 20;
/** The kind of advisory locks on numbers. */
const NUMBERS = 1_919_247_221;
/** The database ends a connection that is silent for so long, because its process or network is gone. */
const SESSION_MS = 10_000;
const CHANNEL = 'reviews_hub';
const NAME = 'reviews-hub';
/** The beginning of a session's name, by which other sessions see what it does. */
const SHOWS = `${NAME} shows `;

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
    idle_in_transaction_session_timeout: SESSION_MS,
    stream: () => socketWithin(silenceMs),
    application_name: NAME,
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
  return new PostgresStore(pool, clock ?? own);
}

/** Adds the locks that processes which share a database need. */
class PostgresStore<Tables> extends Store<Tables> {
  override readonly forShare = sql`for share`;
  readonly #pool: Pool;

  constructor(pool: Pool, clock: RawBuilder<number> | (() => number)) {
    super('postgresql', new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), clock);
    this.#pool = pool;
  }

  /**
   * Refuses a pooler that lends a connection for one transaction, because a lock of a session would then
   * belong to nobody. Such a pooler gives a connection to the next client, or another connection to the same
   * client.
   */
  override async check(): Promise<void> {
    const pidOf = async (db: Kysely<Tables>): Promise<number> =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid;
    await this.db
      .connection()
      .execute(async (held) => {
        const own = await pidOf(held);
        await this.db.transaction().execute(async (trx) => {
          if ((await pidOf(trx)) === own || (await pidOf(held)) !== own) throw refusedPooler();
        });
      })
      .catch((error: Error) => {
        // What PgBouncer says of settings that a session would keep.
        throw /unsupported startup parameter/.test(error.message) ? refusedPooler(error) : error;
      });
  }

  override async advisoryLock(trx: Transaction<Tables>, name: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
  }

  override async columnsOf(trx: Transaction<Tables>, table: string): Promise<ReadonlySet<string>> {
    const columns = sql<{ name: string }>`select attname as name from pg_attribute
      where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`;
    return new Set((await columns.execute(trx)).rows.map(({ name }) => name));
  }

  override async session(): Promise<Session> {
    const client = await this.#pool.connect();
    const ask = async (question: string, ...values: readonly unknown[]) =>
      (await client.query(`select ${question} as answer`, [...values])).rows[0].answer;
    client.on('notification', () => this.onNotice());
    return {
      lock: (number) => ask('pg_try_advisory_lock($1, $2)', NUMBERS, number),
      unlock: (number) => ask('pg_advisory_unlock($1, $2)', NUMBERS, number),
      async show(number) {
        const name = SHOWS + number;
        await client.query(`listen ${CHANNEL}; set application_name = '${name}';
          set idle_session_timeout = ${SESSION_MS}`);
        const { rows } = await client.query<{ number: number; isOwn: boolean }>(
          `select substr(application_name, $1)::bigint as number, pid = pg_backend_pid() as "isOwn"
          from pg_stat_activity where datname = current_database()
          and starts_with(application_name, $2) order by pid`,
          [SHOWS.length + 1, SHOWS],
        );
        const shown = rows.map(({ number }) => number);
        return { shown, own: rows.findIndex(({ isOwn }) => isOwn) };
      },
      async end() {
        await ask('pg_advisory_unlock_all()').catch(() => {}); // a lost connection has lost them
        client.release(true);
      },
    };
  }

  override async notify(): Promise<void> {
    await sql`notify ${sql.ref(CHANNEL)}`.execute(this.db);
  }
}

function refusedPooler(cause?: Error): RefusedStoreError {
  return new RefusedStoreError(
    'DATABASE_URL leads to a transaction pooler, such as PgBouncer, where no lock outlives a ' +
      'transaction: set it to the address of the database itself',
    { cause },
  );
}

/** Limits the silence of a connection whose host or network is gone. The database itself ends slow statements. */
function socketWithin(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => {
    const error = new Error(`the database said nothing for ${silenceMs} ms`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}
