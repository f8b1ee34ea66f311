import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Makes a database.
 *
 * @param server `postgres://…` without a database's name
 * @param template the name of the database that it begins as a copy of; empty unless given
 * @returns its name and URL, and what deletes it, with everybody thrown out who still is in it
 */
export async function freshDatabase(
  server: string,
  template?: string,
): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(server, `create database ${name}${template ? ` template ${template}` : ''}`);
  return {
    name,
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
