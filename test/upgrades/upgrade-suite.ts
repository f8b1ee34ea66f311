import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyringSetting } from '../../src/config/keyring.ts';
import {
  type Database,
  migrateDatabase,
  openDatabase,
  openMigrated,
  pendingMigrations,
} from '../../src/store/database.ts';
import type { DatabaseLocation } from '../../src/store/database-location.ts';
import { createStores } from '../../src/store/stores.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { privateAnswer } from '../journeys/links.ts';
import { startWorld } from '../journeys/world.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { kindsOf } from '../store/kinds-of.ts';
import { newRequest } from '../store/request-suite.ts';
import { encryptionKey } from '../store/stores-under-test.ts';
import { type DatabaseKind, releasedDatabase, releasedVersions } from './released.ts';
import { OTHER_TOKEN, OTHER_WORKSPACE, UNFINISHED_TITLE, WAITING_TITLE } from './scene.ts';

export type TestDatabase = {
  location: DatabaseLocation;
  setting: string;
  restore(sql: string): Promise<void>;
  /** What it consists of besides its rows, in any fixed order. */
  schema(): Promise<string[]>;
};

/** The first workspace and the third person of the stand-in Slack, in the scene as in a world. */
const ACME = workspaceNamed('T000000001');
const ANN = 'U000000005';

const SECOND_MS = 1_000;
/** After the service takes requests again, and before anything of the scene expires. */
const AFTER_MS = 3_600 * SECOND_MS;

/** Starts the app on a database of every released version. */
export function describeUpgrades(kind: DatabaseKind, empty: () => Promise<TestDatabase>): void {
  describe.each(releasedVersions(kind))('a database of version %s', (version) => {
    const released = releasedDatabase(version, kind);

    it('becomes like a new one, and keeps its rows', async () => {
      const [database, fresh] = [await empty(), await empty()];
      await database.restore(released.sql);
      const before = await rowsOf(open(database));
      await migrateDatabase(database.location);
      await migrateDatabase(fresh.location);
      expect(await database.schema()).toEqual(await fresh.schema());

      const db = open(database);
      expect(await pendingMigrations(db)).toEqual([]);
      expect(await rowsOf(db)).toMatchObject(before);
      const { encryptionKeys } = keyringSetting.parse(released.encryptionKeys);
      const stores = createStores(db, encryptionKeys);
      const { keys, installations } = stores;
      const { settings, unfinishedForms } = kindsOf(stores);
      expect((await keys.open(ACME))?.key).toBe(released.apiKey);
      expect((await installations.open(OTHER_WORKSPACE))?.token).toBe(OTHER_TOKEN);
      expect(await settings.get(ACME, 'C1')).toMatchObject({
        unfurls: 'small',
        guestsAllowed: true,
      });
      expect(await settings.get(OTHER_WORKSPACE, 'C1')).toMatchObject({
        unfurls: 'large',
        guestsAllowed: false,
      });
      const unfinished = await unfinishedForms.of({ workspaceId: ACME, userId: ANN });
      expect(JSON.stringify(unfinished)).toContain(UNFINISHED_TITLE);
    });

    it('is one that the app continues on: what waited is sent once', async () => {
      const database = await empty();
      await database.restore(released.sql);
      const lateBy = Date.parse(released.written) + AFTER_MS - Date.now();
      const world = await startWorld({
        connected: false,
        apiKey: released.apiKey,
        clock: () => new Date(Date.now() + lateBy),
        env: { DATABASE_URL: database.setting, ENCRYPTION_KEYS: released.encryptionKeys },
      });
      const { acme, ann, general, service, slack } = world;
      const confirmation = () =>
        acme.messages(general).find(({ text }) => text.includes(WAITING_TITLE));
      await slack.until(confirmation, 'the confirmation');
      await world.restart();
      const list = await privateAnswer(world, ann, () => acme.as(ann).command(general, 'list'));
      expect(textOfMessage(list)).toContain(WAITING_TITLE);
      expect(textOfMessage(list)).toContain('Spring banner');
      expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
    });
  });

  it('a database of 0.1.0 or 0.2.0 is refused, and stays as it was', async () => {
    const database = await empty();
    await migrateDatabase(database.location);
    const db = open(database);
    await createStores(db, [encryptionKey('k1')]).requests.add(newRequest('r1'), new Date());
    await sql`update kysely_migration set name = '0001-first-tables'`.execute(db);
    await sql`drop table audit_entries`.execute(db);
    const before = [await database.schema(), await rowsOf(db)];
    const refusal = 'The database was made by version 0.1.0 or 0.2.0 of the app';
    await expect(migrateDatabase(database.location)).rejects.toThrow(refusal);
    await expect(openMigrated(database.location)).rejects.toThrow(refusal);
    expect([await database.schema(), await rowsOf(db)]).toEqual(before);
  });

  function open({ location }: TestDatabase): Database {
    const db = openDatabase(location);
    onTestFinished(() => db.destroy());
    return db;
  }
}

async function rowsOf(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<{ rows: number }>`
      select count(*) as rows from ${sql.table(name)}`.execute(db);
    counts[name] = Number(rows[0]?.rows);
  }
  return counts;
}
