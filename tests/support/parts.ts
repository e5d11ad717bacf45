import { Client } from 'pg';

/** Returns how many parts of the hub each process leads that uses a PostgreSQL database. */
export async function partsByReplica(url: string): Promise<number[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ parts: number }>(
      `select count(*)::int as parts from pg_locks
       where locktype = 'advisory' and objsubid = 2 and mode = 'ExclusiveLock' and granted
       and database = (select oid from pg_database where datname = current_database())
       group by pid`,
    );
    return rows.map(({ parts }) => parts);
  } finally {
    await client.end();
  }
}
