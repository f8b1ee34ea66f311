import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { readArguments } from '../../src/commands/read-arguments.ts';
import { parseConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/store/database.ts';
import { isPostgres } from '../../src/store/database-location.ts';
import { createStores } from '../../src/store/stores.ts';
import { VERSION } from '../../src/version.ts';
import { freshDatabase } from '../postgres/fresh-database.ts';
import { startPostgres } from '../postgres/server.ts';
import { openStage } from '../sandbox/stage.ts';
import { startAppProcess } from '../sandbox/start-app-process.ts';
import { dumpPostgres } from './dump-postgres.ts';
import { dumpSqlite } from './dump-sqlite.ts';
import { type DatabaseKind, fileOf, NEXT_VERSION, textOf } from './released.ts';
import { fillOtherTables, playScene } from './scene.ts';

const USAGE = `npm run tool -- databases

Writes the databases that this version leaves, on which every later version is tested. A step of each release. Until then,
run it after each change of the tables.`;

readArguments(USAGE, {});
const folder = await mkdtemp(join(tmpdir(), 'design-request-release-'));
const postgres = await startPostgres();
try {
  await write('sqlite', `sqlite:${join(folder, 'app.db')}`, async () =>
    dumpSqlite(join(folder, 'app.db')),
  );
  const { url } = await freshDatabase(postgres.url);
  await write('postgres', url, () => dumpPostgres(url));
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function write(kind: DatabaseKind, databaseUrl: string, dump: () => Promise<string>) {
  const file = fileOf(NEXT_VERSION, kind);
  if (existsSync(file) && VERSION === NEXT_VERSION)
    throw new Error(`${fileURLToPath(file)} exists, and must never change.`);
  const stage = await openStage();
  const env: Record<string, string> = { ...stage.environment(folder), DATABASE_URL: databaseUrl };
  const app = await startAppProcess(env);
  try {
    stage.connect(app.url);
    await playScene(stage);
  } finally {
    await app.stop();
    await stage.close();
  }
  const now = new Date();
  await fillTables(env, now);
  const database = {
    version: NEXT_VERSION,
    written: now.toISOString(),
    encryptionKeys: env.ENCRYPTION_KEYS ?? '',
    apiKey: stage.service.apiKey,
    sql: await dump(),
  };
  await writeFile(file, textOf(database));
  process.stdout.write(`Wrote ${fileURLToPath(file)}.\n`);
}

/** @throws if a table is empty even so, because then no test would notice what happens to its rows */
async function fillTables(env: Record<string, string>, now: Date): Promise<void> {
  const config = parseConfig(env);
  const db = openDatabase(config.database);
  try {
    const stores = createStores(db, config.encryptionKeys);
    await fillOtherTables(stores, now);
    // The app removes its row when it stops, so this is that of a process that was killed.
    if (isPostgres(config.database)) await stores.replicas.renew(1);
    const tables = await db.introspection.getTables();
    for (const { name } of tables) {
      const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
      const isForReplicas = name === 'replicas' && !isPostgres(config.database);
      if (rows.length === 0 && !isForReplicas) throw new Error(`The table ${name} is empty.`);
    }
  } finally {
    await db.destroy();
  }
}
