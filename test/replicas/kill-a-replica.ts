import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess } from '../faults/app-process.ts';
import { maySubmit, newWave, pressSometime, type SentForm, submit } from '../faults/forms.ts';
import { doubledReferences, settle } from '../faults/outcomes.ts';
import { type Chance, chanceOf } from '../faults/random.ts';
import type { Figures, Row, RowOptions } from '../faults/row.ts';
import { type Setting, withSetting } from '../faults/setting.ts';
import { currentDeployment } from './deployment.ts';

const PEOPLE = 8;
/** People press Send during this time, and the kill comes at a random moment in it. */
const PRESSING_MS = 300;
const SLOWEST_ANSWER_MS = 600;
/** A lease, the time until its expiry is noticed, and a busy machine. */
const SETTLED_WITHIN_MS = 90_000;

/** In each run one of several replicas is killed under load, and another replaces it. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    const chance = chanceOf(seed);
    const replicas = await startAll(setting);
    const forms: SentForm[] = [];
    for (let kill = 1; kill <= runs; kill += 1) {
      forms.push(...(await killOne(setting, chance, { kill, replicas })));
      say(`${kill} of ${runs} killed`);
    }
    setting.service.faults.clear();
    await Promise.all(forms.filter(maySubmit).map(submit));
    const { counts, open } = await settle(setting, forms, SETTLED_WITHIN_MS);
    const doubled = doubledReferences(setting);
    return {
      counts,
      measured: { kills: String(runs), 'references doubled': String(doubled) },
      holds: counts.ok > 0 && open + counts.doubled + doubled === 0,
    };
  });
}

/** Starts as many replicas as are deployed, each accessible by itself. */
export async function startAll(setting: Setting): Promise<AppProcess[]> {
  const count = currentDeployment()?.replicas ?? 1;
  const replicas = Array.from({ length: count }, () => setting.addReplica());
  await Promise.all(replicas.map(({ ready }) => ready));
  return replicas;
}

async function killOne(
  setting: Setting,
  chance: Chance,
  { kill, replicas }: { kill: number; replicas: AppProcess[] },
): Promise<SentForm[]> {
  const { service } = setting;
  service.faults.clear();
  const forms = await newWave(setting, `Kill ${kill}`);
  service.faults.add({
    kind: 'stall',
    ms: chance.below(SLOWEST_ANSWER_MS),
    operation: 'createCard',
    probability: chance.next(),
  });
  const pressed = pressSometime(forms, chance, PRESSING_MS);
  await sleep(chance.below(PRESSING_MS));
  const [victim] = replicas.splice(chance.below(replicas.length), 1);
  await victim?.kill();
  await pressed;
  const next = setting.addReplica();
  await next.ready;
  replicas.push(next);
  return forms;
}

export const killReplicaRow: Row = {
  row: 1,
  title: 'one replica killed (kill -9) while people submit, the others continue',
  mutation:
    '“sending” found by another replica is sent again (send-request.ts): 3 references doubled in 6 kills; jobs of dead replicas are not reclaimed (lease.ts): 2 lost in 4',
  runs: { full: 40, quick: 2 },
  run,
};
