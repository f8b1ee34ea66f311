import type { AppProcess } from '../faults/app-process.ts';
import { maySubmit, prepareForm, type SentForm, submit } from '../faults/forms.ts';
import { doubledReferences, eventually, settle } from '../faults/outcomes.ts';
import { type Posted, postLink, unfurlsOf } from '../faults/posting.ts';
import { type Chance, chanceOf } from '../faults/random.ts';
import type { Figures, Row, RowOptions } from '../faults/row.ts';
import { type Setting, withSetting } from '../faults/setting.ts';
import type { User } from '../stand-ins/slack/state/model.ts';
import { startAll } from './kill-a-replica.ts';

const PEOPLE = 6;
const ANSWER_TAKES_MS = 150;
const SETTLED_WITHIN_MS = 60_000;

/** In each run every replica is replaced once, one after the other. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    const chance = chanceOf(seed);
    let replicas = await startAll(setting);
    setting.service.faults.add({ kind: 'stall', ms: ANSWER_TAKES_MS });
    const load: Load = { forms: [], links: [], refused: 0, isOn: true };
    const { forms, links } = load;
    const sending = setting.people.map((user) => keepRequesting(setting, chance, { load, user }));
    let endedBadly = 0;
    for (let roll = 1; roll <= runs; roll += 1) {
      const rolled = await replaceEach(setting, replicas);
      replicas = rolled.replicas;
      endedBadly += rolled.endedBadly;
      say(`${roll} of ${runs} rolled`);
    }
    load.isOn = false;
    await Promise.all(sending);
    await setting.slack.idle();
    await Promise.all(forms.filter(maySubmit).map(submit));

    const missing = () => links.filter((link) => unfurlsOf(setting, link) === 0).length;
    const { counts, open } = await settle(setting, forms, SETTLED_WITHIN_MS);
    await eventually(() => missing() === 0, SETTLED_WITHIN_MS);
    const doubled = doubledReferences(setting);
    return {
      counts: { ...counts, links: links.length, 'links not unfurled': missing() },
      measured: {
        'forms refused while rolling': String(load.refused),
        'references doubled': String(doubled),
        'ended badly': String(endedBadly),
      },
      holds:
        counts.ok > 0 &&
        open + missing() + counts.doubled + doubled + counts['in doubt and told'] === 0 &&
        endedBadly + load.refused === 0,
    };
  });
}

type Load = { forms: SentForm[]; links: Posted[]; refused: number; isOn: boolean };

async function keepRequesting(
  setting: Setting,
  chance: Chance,
  { load, user }: { load: Load; user: User },
): Promise<void> {
  const by = setting.acme.as(user);
  for (let turn = 1; load.isOn; turn += 1) {
    const title = `SentForm ${turn} of ${user.id}`;
    const form = await prepareForm(setting, by, title).catch(() => undefined);
    const result = form && (await submit(form));
    if (form) load.forms.push(form);
    if (!result || result.outcome === 'trouble') load.refused += 1;
    load.links.push(await postLink(setting, chance));
  }
}

/** Replaces each replica by a new one that is ready, one after the other. */
async function replaceEach(setting: Setting, old: readonly AppProcess[]) {
  const replicas: AppProcess[] = [];
  let endedBadly = 0;
  for (const leaving of old) {
    const next = setting.addReplica();
    await next.ready;
    replicas.push(next);
    const { code } = await leaving.stop();
    if (code !== 0) endedBadly += 1;
  }
  return { replicas, endedBadly };
}

export const rollingRestartRow: Row = {
  row: 21,
  title: 'rolling restart: each replica replaced (SIGTERM) while people submit and post links',
  mutation:
    'a leaving replica doesn’t report it before it closes (app.ts): 2 forms refused, 1 link not unfurled',
  runs: { full: 5, quick: 1 },
  run,
};
