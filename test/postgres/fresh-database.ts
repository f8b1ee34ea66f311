import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * @param server `postgres://…` without a database name
 * @param template the database that it starts as a copy of; by default it is empty
 */
export async function freshDatabase(server: string, template = 'template1') {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runSql(`${server}/postgres`, `create database ${name} template ${template}`);
  return {
    name,
    url: `${server}/${name}`,
    /** Closes all connections to it. */
    drop: () => runSql(`${server}/postgres`, `drop database if exists ${name} with (force)`),
  };
}

export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
