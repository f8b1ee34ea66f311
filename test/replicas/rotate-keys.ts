import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import type { OwnerId } from '../../src/installations/workspace-id.ts';
import { type Database, migrate } from '../../src/store/database.ts';
import type { DatabaseLocation } from '../../src/store/database-location.ts';
import { createStores } from '../../src/store/stores.ts';
import { type AppProcess, launchApp } from '../faults/app-process.ts';
import { type SentForm, sendWave } from '../faults/forms.ts';
import { countOutcomes, settle } from '../faults/outcomes.ts';
import { type Chance, chanceOf } from '../faults/random.ts';
import type { Figures, Row, RowOptions } from '../faults/row.ts';
import { type Setting, withDatabase, withSetting } from '../faults/setting.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { newInstall } from '../store/installation-suite.ts';
import { encryptionKey, keyringSetting } from '../store/stores-under-test.ts';
import { startAll } from './kill-a-replica.ts';
import { replaceEach } from './rolling-restart.ts';

const COMMANDS_ENTRY = fileURLToPath(new URL('../../dist/app.js', import.meta.url));
const WORKSPACES = 600;
const SECRET_BYTES = 32;
/** After the first record was encrypted again; all of them take about a hundred times as long. */
const KILL_WITHIN_MS = 30;
const LOOK_AGAIN_MS = 2;
const PEOPLE = 4;
const SENT_WITHIN_MS = 30_000;

type Stage = { setting: Setting; secrets: Secrets; chance: Chance };
type Ring = [EncryptionKey, EncryptionKey];
type Rotated = { unreadable: number; isMidway: boolean; endedWell: boolean; forms: SentForm[] };

/** Each run is one rotation as described in docs/operations.md, with the command killed once. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    const chance = chanceOf(seed);
    let newest = encryptionKey('key-0');
    const secrets = await sealAll(setting.database, newest, WORKSPACES);
    const stage = { setting, secrets, chance };
    setting.env.ENCRYPTION_KEYS = keyringSetting([newest]);
    let replicas = await startAll(setting);
    const rotated: Rotated[] = [];
    for (let rotation = 1; rotation <= runs; rotation += 1) {
      const next = encryptionKey(`key-${rotation}`);
      for (const ring of [
        [newest, next],
        [next, newest],
      ]) {
        replicas = await withRing(setting, replicas, ring);
      }
      rotated.push(await rotate(stage, [next, newest], `Rotation ${rotation}`));
      replicas = await withRing(setting, replicas, [next]);
      newest = next;
      say(`${rotation} of ${runs} rotations`);
    }
    rotated.push({ ...QUIET, forms: await sendRequest(setting, 'Afterwards') });
    await Promise.all(replicas.map((replica) => replica.stop()));
    return figuresOf(setting, rotated);
  });
}

const QUIET = { unreadable: 0, isMidway: false, endedWell: true };

async function withRing(
  setting: Setting,
  replicas: readonly AppProcess[],
  ring: readonly EncryptionKey[],
): Promise<AppProcess[]> {
  setting.env.ENCRYPTION_KEYS = keyringSetting(ring);
  return (await replaceEach(setting, replicas)).replicas;
}

async function rotate(stage: Stage, ring: Ring, title: string): Promise<Rotated> {
  const { setting, secrets } = stage;
  const { database } = setting;
  const [next] = ring;
  const sending = sendRequest(setting, title);
  const done = await rotateAndKill(stage, next);
  const afterKill = await countUnreadable(database, ring, secrets);
  const { code } = await startRotating(setting).ended;
  const afterEnd = await countUnreadable(database, [next], secrets);
  return {
    unreadable: afterKill + afterEnd,
    isMidway: done > 0 && done < WORKSPACES,
    endedWell: code === 0,
    forms: await sending,
  };
}

/** @returns how many records had been encrypted again when the command was killed */
function rotateAndKill({ setting, secrets, chance }: Stage, next: EncryptionKey): Promise<number> {
  return withDatabase(setting.database, async (db) => {
    const rotated = () => countSealedWith(db, next, secrets);
    const command = startRotating(setting);
    while ((await rotated()) === 0 && !command.hasEnded()) await sleep(LOOK_AGAIN_MS);
    await sleep(chance.below(KILL_WITHIN_MS));
    await command.kill();
    return rotated();
  });
}

/** The command as an operator runs it, with the settings of the replicas. */
const startRotating = ({ env }: Setting): AppProcess =>
  launchApp({ entry: COMMANDS_ENTRY, args: ['rotate-keys'], env });

async function sendRequest(setting: Setting, title: string): Promise<SentForm[]> {
  const forms = await sendWave(setting, title);
  await settle(setting, forms, SENT_WITHIN_MS);
  return forms;
}

function figuresOf(setting: Setting, rotated: readonly Rotated[]): Figures {
  const forms = rotated.flatMap((one) => one.forms);
  const { ok } = countOutcomes(setting, forms);
  const unreadable = rotated.reduce((sum, one) => sum + one.unreadable, 0);
  const killedMidway = rotated.filter(({ isMidway }) => isMidway).length;
  return {
    counts: {
      records: WORKSPACES,
      rotations: rotated.length - 1,
      'killed midway': killedMidway,
      unreadable,
      'requests meanwhile': forms.length,
      ok,
    },
    measured: { unreadable: String(unreadable) },
    holds:
      killedMidway > 0 &&
      unreadable === 0 &&
      ok === forms.length &&
      rotated.every(({ endedWell }) => endedWell),
  };
}

type Secrets = Map<OwnerId, string>;

/** Encrypts a secret for each of this many workspaces with the app, in an empty database. */
function sealAll(location: DatabaseLocation, key: EncryptionKey, count: number): Promise<Secrets> {
  return withDatabase(location, async (db) => {
    await migrate(db);
    const { keys, installations } = createStores(db, [key]);
    const secrets: Secrets = new Map();
    for (let workspace = 0; workspace < count; workspace += 1) {
      // Data of workspaces without the app is deleted when the app starts.
      const id = workspaceNamed(`T${workspace}`);
      await installations.save(newInstall(id), new Date());
      const secret = `dsk_${randomBytes(SECRET_BYTES).toString('base64url')}`;
      secrets.set(id, secret);
      await keys.save(id, secret, undefined, new Date());
    }
    return secrets;
  });
}

/** How many of the workspaces' records name this key. */
async function countSealedWith(db: Database, { id }: EncryptionKey, secrets: Secrets) {
  const rows = await db.selectFrom('api_keys').select(['workspaceId', 'sealedKey']).execute();
  const ours = rows.filter(({ workspaceId }) => secrets.has(workspaceId));
  return ours.filter(({ sealedKey }) => keyIdOf(String(sealedKey)) === id).length;
}

/** A record is a JWE, which names its key in the protected header. */
function keyIdOf(sealed: string): unknown {
  const header = String(JSON.parse(sealed).protected);
  return JSON.parse(Buffer.from(header, 'base64url').toString()).kid;
}

/** How many of the secrets can't be decrypted with these keys. */
async function countUnreadable(
  location: DatabaseLocation,
  keyring: readonly EncryptionKey[],
  secrets: Secrets,
): Promise<number> {
  return withDatabase(location, async (db) => {
    const { keys } = createStores(db, keyring);
    let unreadable = 0;
    for (const [workspace, secret] of secrets) {
      const opened = await keys.open(workspace).catch(() => undefined);
      if (opened?.key !== secret) unreadable += 1;
    }
    return unreadable;
  });
}

export const rotateKeysRow: Row = {
  row: 20,
  title: 'npm run app -- rotate-keys killed midway beside running replicas that people use',
  mutation:
    'every record is opened with the first key (sealed-box.ts): no replica starts with two keys',
  runs: { full: 3, quick: 1 },
  run,
};
