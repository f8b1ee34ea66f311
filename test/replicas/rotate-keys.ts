import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import { type AppProcess, type End, launchApp } from '../faults/app-process.ts';
import type { Figures, Row, RowOptions } from '../faults/figures.ts';
import { closeForms, type SentForm, sendAll } from '../faults/forms.ts';
import { countOutcomes, eventually } from '../faults/outcomes.ts';
import { type Chance, chanceOf } from '../faults/random.ts';
import { type Setting, withSetting } from '../faults/setting.ts';
import { withDatabase } from '../faults/with-database.ts';
import { encryptionKey, keyringSetting } from '../store/stores-under-test.ts';
import { startAll } from './kill-a-replica.ts';
import { replaceEach } from './rolling-restart.ts';
import { countSealedWith, countUnreadable, type Secrets, sealAll } from './sealed-records.ts';

const TITLE = 'npm run app -- rotate-keys killed midway beside running replicas that people use';
const MUTATION =
  'every record is opened with the first key (sealed-box.ts): no replica starts with two keys';
const COMMANDS_ENTRY = fileURLToPath(new URL('../../dist/app.js', import.meta.url));
const WORKSPACES = 600;
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

/** Gives every replica these keys, one after the other. */
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
const startRotating = ({
  env,
}: Setting): Pick<AppProcess, 'kill' | 'hasEnded'> & {
  ended: Promise<End>;
} => launchApp({ entry: COMMANDS_ENTRY, args: ['rotate-keys'], env });

async function sendRequest(setting: Setting, title: string): Promise<SentForm[]> {
  const { acme, people } = setting;
  await Promise.all(people.map((user) => closeForms(acme.as(user))));
  const forms = await sendAll(
    setting,
    people.map((_, index) => `${title}, form ${index + 1}`),
  );
  const allThere = () => countOutcomes(setting, forms).ok === forms.length;
  await eventually(allThere, SENT_WITHIN_MS);
  return forms;
}

function figuresOf(setting: Setting, rotated: readonly Rotated[]): Figures {
  const forms = rotated.flatMap((one) => one.forms);
  const { ok } = countOutcomes(setting, forms);
  const unreadable = rotated.reduce((sum, one) => sum + one.unreadable, 0);
  const killedMidway = rotated.filter(({ isMidway }) => isMidway).length;
  return {
    row: 20,
    title: TITLE,
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
    mutation: MUTATION,
  };
}

export const rotateKeysRow: Row = { row: 20, title: TITLE, runs: { full: 3, quick: 1 }, run };
