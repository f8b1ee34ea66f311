import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Makes an empty database.
 *
 * @param server `postgres://…` without a database's name
 * @returns its URL, and what deletes it, with everybody thrown out who still is in it
 */
export async function freshDatabase(
  server: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(server, `create database ${name}`);
  return {
    url: `${server}/${name}`,
    drop: () => run(server, `drop database if exists ${name} with (force)`),
  };
}

async function run(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
