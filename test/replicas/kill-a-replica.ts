import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess } from '../faults/app-process.ts';
import type { Figures, Row, RowOptions } from '../faults/figures.ts';
import { closeForms, maySubmit, prepareAll, type SentForm, submit } from '../faults/forms.ts';
import { countOutcomes, doubledReferences, eventually } from '../faults/outcomes.ts';
import { type Chance, chanceOf } from '../faults/random.ts';
import { type Setting, withSetting } from '../faults/setting.ts';
import { currentDeployment } from './deployment.ts';

const TITLE = 'one replica killed (kill -9) while people submit, the others continue';
const MUTATION =
  '“sending” found by another replica is sent again (send-request.ts): 3 references doubled in 6 kills; jobs of dead replicas are not reclaimed (lease.ts): 2 lost in 4';
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
    const open = ({ lost, untold, waiting }: ReturnType<typeof countOutcomes>) =>
      lost + untold + waiting;
    await eventually(() => open(countOutcomes(setting, forms)) === 0, SETTLED_WITHIN_MS);
    const counts = countOutcomes(setting, forms);
    const doubled = doubledReferences(setting);
    return {
      row: 1,
      title: TITLE,
      counts,
      measured: { kills: String(runs), 'references doubled': String(doubled) },
      holds: counts.ok > 0 && open(counts) + counts.doubled + doubled === 0,
      mutation: MUTATION,
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
  const { service, people, acme } = setting;
  service.faults.clear();
  await Promise.all(people.map((user) => closeForms(acme.as(user))));
  const forms = await prepareAll(
    setting,
    people.map((_, index) => `Kill ${kill}, form ${index + 1}`),
  );
  service.faults.add({
    kind: 'stall',
    ms: chance.below(SLOWEST_ANSWER_MS),
    operation: 'createCard',
    probability: chance.next(),
  });
  const pressed = forms.map(async (form) => {
    await sleep(chance.below(PRESSING_MS));
    await submit(form);
  });
  await sleep(chance.below(PRESSING_MS));
  const [victim] = replicas.splice(chance.below(replicas.length), 1);
  await victim?.kill();
  await Promise.all(pressed);
  const next = setting.addReplica();
  await next.ready;
  replicas.push(next);
  return forms;
}

export const killReplicaRow: Row = { row: 1, title: TITLE, runs: { full: 40, quick: 2 }, run };
