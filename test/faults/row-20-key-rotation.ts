import { setTimeout as sleep } from 'node:timers/promises';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import { createStores } from '../../src/store/stores.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { encryptionKey, keyringSetting } from '../store/stores-under-test.ts';
import type { Figures, Row, RowOptions } from './figures.ts';
import { prepareForm, submit } from './forms.ts';
import { countOutcomes, eventually } from './outcomes.ts';
import { type Chance, chanceOf } from './random.ts';
import {
  countForged,
  countSealedWith,
  countUnreadable,
  type Secrets,
  sealAll,
} from './sealed/sealed-records.ts';
import { type Setting, withSetting } from './setting.ts';
import { withDatabase } from './with-database.ts';

const TITLE =
  'key rotation killed midway; unknown key ID; records swapped between workspaces; a flipped bit';
const MUTATION =
  'the workspace is not part of what is encrypted (sealed-box.ts): 300 of 300 swapped records opened';
const WORKSPACES = 300;
/** After the first record was encrypted again; all of them take about this long. */
const KILL_WITHIN_MS = 60;
const FLIPS_A_RECORD = 8;
const LOOK_AGAIN_MS = 2;
const PATIENCE_MS = 15_000;

/** Each run is one rotation, which the app starts when it starts, and is killed in. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed }, async (setting) => {
    const chance = chanceOf(seed);
    const { database } = setting;
    let newest = encryptionKey('key-0');
    const secrets = await sealAll(database, newest, WORKSPACES);
    let unreadable = 0;
    let killedMidway = 0;
    for (let rotation = 1; rotation <= runs; rotation += 1) {
      const next = encryptionKey(`key-${rotation}`);
      const done = await rotateAndKill(setting, [next, newest], { secrets, chance });
      if (done > 0 && done < WORKSPACES) killedMidway += 1;
      unreadable += await countUnreadable(database, [next, newest], secrets);
      // The next start continues, and the old key can be removed.
      const app = await setting.start({ env: { ENCRYPTION_KEYS: keyringSetting([next, newest]) } });
      await app.kill();
      unreadable += await countUnreadable(database, [next], secrets);
      newest = next;
      say(`${rotation} of ${runs} rotations`);
    }
    const tried = await countForged(database, [newest], {
      ...{ secrets, chance },
      flipsARecord: FLIPS_A_RECORD,
    });
    const appSaysSo = await appSaysThatItCannotRead(setting, newest);
    const forged = tried.unknownKey + tried.flipped + tried.swapped;
    return {
      row: 20,
      title: TITLE,
      counts: {
        rotations: runs,
        'killed midway': killedMidway,
        unreadable,
        'flipped bits': tried.flips,
        'swapped records': WORKSPACES,
        'opened with an unknown key': tried.unknownKey,
        'forged accepted': forged,
      },
      measured: { unreadable: String(unreadable), 'forged accepted': String(forged) },
      holds: unreadable + forged === 0 && appSaysSo,
      mutation: MUTATION,
    };
  });
}

/** @returns how many records had been encrypted again when the app was killed */
async function rotateAndKill(
  setting: Setting,
  keyring: [EncryptionKey, EncryptionKey],
  { secrets, chance }: { secrets: Secrets; chance: Chance },
): Promise<number> {
  return withDatabase(setting.database, async (db) => {
    const rotated = () => countSealedWith(db, keyring[0], secrets);
    const app = setting.launch({ env: { ENCRYPTION_KEYS: keyringSetting(keyring) } });
    while ((await rotated()) === 0 && !app.hasEnded()) await sleep(LOOK_AGAIN_MS);
    await sleep(chance.below(KILL_WITHIN_MS));
    await app.kill();
    return rotated();
  });
}

/**
 * Works with the right key, refuses to start without it, and runs if its operator says that the key is lost: then
 * requests wait for a new key.
 */
async function appSaysThatItCannotRead(setting: Setting, newest: EncryptionKey): Promise<boolean> {
  const { env, acme, people, database, service } = setting;
  const [first, second] = people.map((user) => acme.as(user));
  if (!first || !second) throw new Error('Two people are needed');
  env.ENCRYPTION_KEYS = keyringSetting([encryptionKey('key-last'), newest]);
  // Its own key was swapped with the others.
  await withDatabase(database, (db) =>
    createStores(db, [newest]).keys.save(
      workspaceNamed(acme.id),
      service.apiKey,
      undefined,
      new Date(),
    ),
  );
  const rotated = await setting.start();
  await prepareForm(setting, first, 'After the rotation');
  await rotated.stop();

  const strange = keyringSetting([encryptionKey('stranger')]);
  const refused = setting.launch({ env: { ENCRYPTION_KEYS: strange } });
  const refusesToStart = (await refused.ended).code === 1;
  const words = refused.logLines.join('\n').includes('"key-last"');
  const stranger = await setting.start({
    env: { ENCRYPTION_KEYS: `${strange},key-last:lost,${newest.id}:lost` },
  });
  const callsBefore = service.ledger.length;
  const form = await prepareForm(setting, second, 'Without a readable key');
  const saysWhy = second.sees().includes('can’t read this workspace’s API key');
  await submit(form);
  // The request is kept, and nothing is sent without the key.
  const waits = await eventually(() => countOutcomes(setting, [form]).waiting === 1, PATIENCE_MS);
  const lives = !stranger.hasEnded() && service.ledger.length === callsBefore;
  await stranger.stop();
  return refusesToStart && words && saysWhy && waits === true && lives;
}

export const keyRotationRow: Row = { row: 20, title: TITLE, runs: { full: 30, quick: 2 }, run };
