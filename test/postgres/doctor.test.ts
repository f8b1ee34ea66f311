import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { findingOf, healthyPatient } from '../commands/doctor/examined.ts';
import { databaseForTest } from './database-for-test.ts';
import { openForTest } from './postgres-stores.ts';

/** A setting in which nothing is wrong, with its database on Postgres. */
async function patientOnPostgres() {
  const url = await databaseForTest({ isMigrated: true });
  const patient = await healthyPatient();
  patient.env.DATABASE_URL = url;
  return { patient, name: new URL(url).pathname.slice(1), db: openForTest(url) };
}

describe('the doctor, on Postgres', () => {
  it('reads the database and its keys', async () => {
    const { patient } = await patientOnPostgres();
    for (const name of [
      'database-reachable',
      'database-writable',
      'database-migrated',
      'keyring',
    ]) {
      expect(await findingOf(name, patient), name).toMatchObject({ result: 'passed' });
    }
  });

  it('warns if it may lose what it has confirmed', async () => {
    const { patient, name, db } = await patientOnPostgres();
    await sql`alter database ${sql.id(name)} set synchronous_commit = off`.execute(db);
    // The test server is configured not to wait for the disk.
    expect(await findingOf('durable-postgres', patient)).toMatchObject({
      result: 'warning',
      problem: 'Postgres may lose acknowledged data: fsync, synchronous_commit is off.',
    });
  });

  it('finds a standby, which only allows reading', async () => {
    const { patient, name, db } = await patientOnPostgres();
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(db);
    expect(await findingOf('database-writable', patient)).toMatchObject({ result: 'failed' });
  });
});
