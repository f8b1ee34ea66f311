import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EncryptionKey } from '../../src/config-keyring.ts';
import { migrate, openDatabase } from '../../src/store/database.ts';
import { SealError } from '../../src/store/sealed-box.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';
import { newInstall } from '../store/installation-suite.ts';
import { workspaceNamed } from '../workspaces/ids.ts';
import type { Figures, Row, RowOptions } from './figures.ts';
import { hasField, prepareOrder } from './ordering.ts';
import { type Chance, chanceOf } from './random.ts';
import { encryptionKey, type Setting, withSetting } from './setting.ts';

const TITLE =
  'key rotation killed midway; unknown key id; records swapped between workspaces; a flipped bit';
const MUTATION =
  'the workspace is not part of what is sealed (sealed-box.ts): 300 of 300 swapped records opened';
const WORKSPACES = 300;
const KEY_BYTES = 32;
/** After the first record was sealed anew; all of them take about this long. */
const KILL_WITHIN_MS = 60;
const LOOK_AGAIN_MS = 2;
const FLIPS_A_RECORD = 8;
const PATIENCE_MS = 15_000;

/** One run is one rotation, which the app begins at its start, and is killed in. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed }, async (setting) => {
    const chance = chanceOf(seed);
    const { databasePath: path } = setting;
    let newest = newKey('key-0');
    const secrets = await sealAll(path, newest, WORKSPACES);
    let unreadable = 0;
    let killedMidway = 0;
    for (let rotation = 1; rotation <= runs; rotation += 1) {
      const next = newKey(`key-${rotation}`);
      const done = await rotateAndKill(setting, [next, newest], chance);
      if (done > 0 && done < WORKSPACES) killedMidway += 1;
      unreadable += await countUnreadable(path, [next, newest], secrets);
      // The next start goes on, and the old key may go.
      const app = await setting.start({ env: { ENCRYPTION_KEYS: inWords([next, newest]) } });
      await app.kill();
      unreadable += await countUnreadable(path, [next], secrets);
      newest = next;
      say(`${rotation} of ${runs} rotations`);
    }
    const unknown = await countOpened(path, [newKey('stranger')], secrets);
    const flipped = await openFlipped(path, [newest], { secrets, chance });
    const swapped = await openSwapped(path, [newest], secrets);
    const appSaysSo = await appSaysThatItCannotRead(setting, newest);
    const forged = unknown + flipped.forged + swapped;
    return {
      row: 20,
      title: TITLE,
      counts: {
        rotations: runs,
        'killed midway': killedMidway,
        unreadable,
        'flipped bits': flipped.tried,
        'swapped records': WORKSPACES,
        'opened with an unknown key': unknown,
        'forged accepted': forged,
      },
      measured: { unreadable: String(unreadable), 'forged accepted': String(forged) },
      holds: unreadable + forged === 0 && appSaysSo,
      mutation: MUTATION,
    };
  });
}

type Secrets = Map<string, string>;

const newKey = (id: string): EncryptionKey => ({ id, key: new Uint8Array(randomBytes(KEY_BYTES)) });

async function withKeys<Result>(
  path: string,
  keyring: EncryptionKey[],
  use: (keys: Stores['keys'], stores: Stores) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase({ path });
  try {
    await migrate(db);
    const stores = createStores(db, keyring);
    return await use(stores.keys, stores);
  } finally {
    await db.destroy();
  }
}

async function sealAll(path: string, key: EncryptionKey, count: number): Promise<Secrets> {
  const secrets: Secrets = new Map();
  await withKeys(path, [key], async (keys, { installations }) => {
    for (let workspace = 0; workspace < count; workspace += 1) {
      // What belongs to no workspace that has the app is swept up at the start.
      const id = workspaceNamed(`T${workspace}`);
      await installations.save(newInstall(id), new Date());
      const secret = `dsk_${randomBytes(KEY_BYTES).toString('base64url')}`;
      secrets.set(id, secret);
      await keys.save(id, secret, undefined, new Date());
    }
  });
  return secrets;
}

/** As in ENCRYPTION_KEYS. */
const inWords = (keyring: EncryptionKey[]) =>
  keyring.map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}`).join(',');

/** @returns how many records were sealed anew when the app was killed */
async function rotateAndKill(
  setting: Setting,
  keyring: EncryptionKey[],
  chance: Chance,
): Promise<number> {
  const database = new DatabaseSync(setting.databasePath, { readOnly: true, timeout: PATIENCE_MS });
  const records = database.prepare('SELECT sealed_key FROM api_keys');
  const sealedAnew = () =>
    records.all().filter(({ sealed_key }) => keyIdOf(String(sealed_key)) === keyring[0]?.id).length;
  const app = setting.launch({ env: { ENCRYPTION_KEYS: inWords(keyring) } });
  while (sealedAnew() === 0 && !app.hasEnded()) await sleep(LOOK_AGAIN_MS);
  await sleep(chance.below(KILL_WITHIN_MS));
  await app.kill();
  const done = sealedAnew();
  database.close();
  return done;
}

/** A record is a JWE, which names its key in the protected header. */
function keyIdOf(sealed: string): unknown {
  const header = String(JSON.parse(sealed).protected);
  return JSON.parse(Buffer.from(header, 'base64url').toString()).kid;
}

/** What a store gives for a workspace: its secret, or why it gives none. */
async function openEach(
  path: string,
  keyring: EncryptionKey[],
  workspaces: Iterable<string>,
): Promise<Map<string, string | SealError>> {
  return withKeys(path, keyring, async (keys) => {
    const opened = new Map<string, string | SealError>();
    for (const workspace of workspaces) {
      opened.set(workspace, await openOne(() => keys.open(workspaceNamed(workspace))));
    }
    return opened;
  });
}

async function openOne(open: () => Promise<{ key: string } | undefined>) {
  try {
    return (await open())?.key ?? '';
  } catch (error) {
    if (error instanceof SealError) return error;
    throw error;
  }
}

async function countUnreadable(path: string, keyring: EncryptionKey[], secrets: Secrets) {
  const opened = await openEach(path, keyring, secrets.keys());
  return [...secrets].filter(([workspace, secret]) => opened.get(workspace) !== secret).length;
}

async function countOpened(path: string, keyring: EncryptionKey[], secrets: Secrets) {
  const opened = await openEach(path, keyring, secrets.keys());
  return [...opened.values()].filter((result) => !(result instanceof SealError)).length;
}

/** Changes records as somebody with the file could. */
function tamper(path: string, change: (sealed: string, workspace: string) => string): void {
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT workspace_id, sealed_key FROM api_keys').all();
  const update = database.prepare('UPDATE api_keys SET sealed_key = ? WHERE workspace_id = ?');
  for (const { workspace_id: workspace, sealed_key: sealed } of rows) {
    update.run(change(String(sealed), String(workspace)), String(workspace));
  }
  database.close();
}

async function openFlipped(
  path: string,
  keyring: EncryptionKey[],
  { secrets, chance }: { secrets: Secrets; chance: Chance },
) {
  let forged = 0;
  let tried = 0;
  for (let flip = 0; flip < FLIPS_A_RECORD; flip += 1) {
    const originals = new Map<string, string>();
    tamper(path, (sealed, workspace) => {
      originals.set(workspace, sealed);
      const bytes = Buffer.from(sealed);
      const at = chance.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(7));
      return bytes.toString();
    });
    const opened = await openEach(path, keyring, secrets.keys());
    // The last letters of base64 hold bits that mean nothing: such a record is the same record.
    forged += [...opened].filter(
      ([workspace, result]) => !(result instanceof SealError) && result !== secrets.get(workspace),
    ).length;
    tried += opened.size;
    tamper(path, (_, workspace) => originals.get(workspace) ?? '');
  }
  return { forged, tried };
}

/** Gives each workspace the record of the next one. */
async function openSwapped(path: string, keyring: EncryptionKey[], secrets: Secrets) {
  const sealed = new Map<string, string>();
  tamper(path, (record, workspace) => {
    sealed.set(workspace, record);
    return record;
  });
  const workspaces = [...secrets.keys()];
  tamper(path, (_, workspace) => {
    const next = workspaces[(workspaces.indexOf(workspace) + 1) % workspaces.length] ?? '';
    return sealed.get(next) ?? '';
  });
  return countOpened(path, keyring, secrets);
}

/** Works with the right key; refuses to start without it; and lives where its operator says that it is lost. */
async function appSaysThatItCannotRead(setting: Setting, newest: EncryptionKey): Promise<boolean> {
  const { env, acme, people, general, slack, databasePath } = setting;
  const [first, second] = people.map((user) => acme.as(user));
  if (!first || !second) throw new Error('Two people are needed');
  env.ENCRYPTION_KEYS = inWords([newKey('key-last'), newest]);
  // Its own key was swapped away with the others.
  await withKeys(databasePath, [newest], (keys) =>
    keys.save(workspaceNamed(acme.id), setting.service.apiKey, undefined, new Date()),
  );
  const rotated = await setting.start();
  await prepareOrder(setting, first, 'After the rotation');
  await rotated.stop();

  const strange = encryptionKey('stranger');
  const refused = setting.launch({ env: { ENCRYPTION_KEYS: strange } });
  const refusesToStart = (await refused.ended).code === 1;
  const words = refused.logLines.join('\n').includes('"key-last"');
  const stranger = await setting.start({
    env: { ENCRYPTION_KEYS: `${strange},key-last:lost,${newest.id}:lost` },
  });
  await second.command(general);
  const saysWhy = () => /can’t be read|Try again/.test(second.sees());
  const told = await slack.until(saysWhy, 'words', PATIENCE_MS).catch(() => false);
  const lives = !stranger.hasEnded() && !hasField(second, 'Request type');
  await stranger.stop();
  return refusesToStart && words && told === true && lives;
}

export const keyRotationRow: Row = { row: 20, title: TITLE, runs: { full: 30, quick: 2 }, run };
