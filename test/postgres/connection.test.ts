import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { migrateDatabase, openDatabase } from '../../src/store/database.ts';
import { databaseTrouble } from '../../src/store/database-errors.ts';
import { DatabaseError } from '../../src/store/database-location.ts';
import { startSocketServer } from '../service/local-server.ts';
import { isReachable } from '../store/stores-under-test.ts';
import { databaseForTest } from './database-for-test.ts';
import { openForTest, openPostgresStores } from './postgres-stores.ts';

/** The error message of a start. */
async function refusalOf(url: string): Promise<string> {
  const error = await migrateDatabase({ url }).catch((reason: unknown) => reason);
  if (error instanceof DatabaseError) return error.message;
  throw error;
}

const changed = (url: string, change: (url: URL) => void): string => {
  const other = new URL(url);
  change(other);
  return other.href;
};

describe('a Postgres that can’t be used is reported clearly and without the password:', () => {
  it.each<[string, (url: URL) => void, RegExp]>([
    [
      'the connection was refused',
      (url) => {
        url.port = '1';
      },
      /^The database 127\.0\.0\.1:1\/test_\w+ can't be used: the connection was refused/,
    ],
    [
      'a wrong password',
      (url) => {
        url.password = 'hunter2';
      },
      /rejects the user or the password in DATABASE_URL/,
    ],
    [
      'no such database',
      (url) => {
        url.pathname = '/nowhere';
      },
      /there is no database with that name\. Create it first/,
    ],
    [
      'no such host',
      (url) => {
        url.hostname = 'db.invalid';
      },
      /the host was not found|could not be looked up/,
    ],
    ['no TLS', (url) => url.searchParams.set('sslmode', 'require'), /it does not support TLS/],
    [
      'a missing certificate',
      (url) => {
        url.searchParams.set('sslmode', 'verify-full');
        url.searchParams.set('sslrootcert', '/nowhere/root.crt');
      },
      /no such file.*\/nowhere\/root\.crt/,
    ],
  ])('%s', async (_what, change, words) => {
    const url = await databaseForTest();
    const refusal = await refusalOf(changed(url, change));
    expect(refusal).toMatch(words);
    expect(refusal).not.toMatch(/hunter2|postgres:postgres|password=/);
    expect(refusal).not.toContain(new URL(url).password);
  });

  it('a user who may not create tables', async () => {
    const url = await databaseForTest();
    const role = `reader_${new URL(url).pathname.slice(-8)}`;
    const db = openForTest(url);
    await sql`create role ${sql.id(role)} login password 'reading'`.execute(db);
    onTestFinished(async () => {
      const other = openDatabase({ url: `${inject('postgresServer')}/postgres` });
      await sql`drop role ${sql.id(role)}`.execute(other);
      await other.destroy();
    });
    const theirs = changed(url, (one) => {
      one.username = role;
      one.password = 'reading';
    });
    expect(await refusalOf(theirs)).toContain('may not create tables there');
  });
});

it.each([
  ['query_wait_timeout', 'it says: query_wait_timeout (08P01).'],
  ['transaction blocks not allowed in statement pooling mode', 'Set pool_mode = transaction'],
  ['SASL authentication failed', 'rejects the user or the password in DATABASE_URL'],
  ['password authentication failed', 'rejects the user or the password in DATABASE_URL'],
])('what a pooler answers isn’t taken for a firewall: %s', (message, words) => {
  const answer = Object.assign(new Error(message), { code: '08P01' });
  expect(databaseTrouble('db', answer).message).toContain(words);
});

describe('a connection', () => {
  it('that breaks in the middle of a transaction fails only that one', async () => {
    const { db } = await openPostgresStores();
    const broken = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
      // The process notices between two statements, with nobody listening.
      await expect.poll(() => isReachable(db)).toBe(true);
      await sql`select 1`.execute(tx);
    });
    await expect(broken).rejects.toThrow();
    expect(await isReachable(db)).toBe(true);
  });

  it('whose other end is gone silently is dropped, and new ones are opened', async () => {
    const url = await databaseForTest();
    const sockets: Socket[] = [];
    const port = await startSocketServer((incoming) => {
      const outgoing = connect(Number(new URL(url).port), '127.0.0.1');
      outgoing.on('error', () => undefined);
      incoming.once('close', () => outgoing.destroy());
      incoming.pipe(outgoing).pipe(incoming);
      sockets.push(incoming, outgoing);
    });
    const byThatWay = changed(url, (one) => {
      one.port = String(port);
      one.searchParams.set('query_timeout', '500');
    });
    const db = openForTest(byThatWay);
    expect(await isReachable(db)).toBe(true);
    // From now on, nothing passes in either direction on open connections; new ones work.
    for (const socket of sockets) socket.unpipe().pause();
    await expect(isReachable(db)).rejects.toThrow('timeout');
    expect(await isReachable(db)).toBe(true);
  });
});
