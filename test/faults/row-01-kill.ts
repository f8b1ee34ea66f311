import { setTimeout as sleep } from 'node:timers/promises';
import { maySubmit, prepareAtLast, pressSometime, type SentForm, submit } from './forms.ts';
import { doubledReferences, type Outcome, settle } from './outcomes.ts';
import { type Chance, chanceOf } from './random.ts';
import { type Figures, type Row, type RowOptions, sumOf } from './row.ts';
import { type Setting, withSetting } from './setting.ts';

/** Apps that are killed side by side. */
const LANES = 3;
const FORMS = 6;
/** The share of kills that happen during the app's start. */
const KILLED_WHILE_STARTING = 0.25;
/** A start takes about a second; some of these kills come just after it. */
const LONGEST_START_MS = 1_500;
/** People press Send during this time, and the kill comes at a random moment in it or slightly later. */
const PRESSING_MS = 150;
const KILL_WITHIN_MS = 350;
const PRESSES_AGAIN = 0.8;
const SETTLED_WITHIN_MS = 60_000;

type Lane = {
  setting: Setting;
  chance: Chance;
  name: string;
  forms: SentForm[];
  startKills: number;
};

async function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  const lanes = Math.min(LANES, runs);
  const shares = Array.from({ length: lanes }, (_, index) => Math.floor((runs + index) / lanes));
  let kills = 0;
  const results = await Promise.all(
    shares.map((share, index) =>
      killRepeatedly({ seed: seed + index, kills: share, name: `Lane ${index + 1}` }, () => {
        kills += 1;
        if (kills % 25 === 0) say(`${kills} of ${runs} kills`);
      }),
    ),
  );
  const kinds = Object.keys(results[0]?.counts ?? {}) as Outcome[];
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, sumOf(results, ({ counts }) => counts[kind])]),
  );
  const { ok = 0, doubled = 0 } = counts;
  const doubledByReference = sumOf(results, (result) => result.doubledReferences);
  return {
    counts,
    measured: {
      kills: String(kills),
      'while starting': String(sumOf(results, ({ startKills }) => startKills)),
      'references doubled': String(doubledByReference),
    },
    holds: ok > 0 && sumOf(results, ({ open }) => open) + doubled + doubledByReference === 0,
  };
}

async function killRepeatedly(
  { seed, kills, name }: { seed: number; kills: number; name: string },
  onKill: () => void,
) {
  return withSetting({ seed, people: FORMS }, async (setting) => {
    const lane: Lane = { setting, chance: chanceOf(seed), name, forms: [], startKills: 0 };
    for (let kill = 0; kill < kills; kill += 1) {
      await killOnce(lane, kill);
      onKill();
    }
    setting.service.faults.clear();
    await setting.start();
    await Promise.all(lane.forms.filter(maySubmit).map(submit));
    const { counts, open } = await settle(setting, lane.forms, SETTLED_WITHIN_MS);
    return {
      counts,
      open,
      doubledReferences: doubledReferences(setting),
      startKills: lane.startKills,
    };
  });
}

async function killOnce(lane: Lane, kill: number): Promise<void> {
  const { setting, chance } = lane;
  chooseSpeed(lane);
  const app = setting.launch();
  if (chance.is(KILLED_WHILE_STARTING)) {
    lane.startKills += 1;
    const pressed = pressSometime(lane.forms.filter(maySubmit), chance, LONGEST_START_MS);
    await sleep(chance.below(LONGEST_START_MS));
    await app.kill();
    await pressed;
    return;
  }
  await app.ready;
  const again = lane.forms.filter((form) => maySubmit(form) && chance.is(PRESSES_AGAIN));
  const fresh = await freshForms(lane, kill, again);
  lane.forms.push(...fresh);
  const pressed = pressSometime([...again, ...fresh], chance, PRESSING_MS);
  await sleep(chance.below(KILL_WITHIN_MS));
  await app.kill();
  await pressed;
}

/** A slow service leaves more requests in progress when the kill comes. */
function chooseSpeed({ setting, chance }: Lane): void {
  const { faults } = setting.service;
  faults.clear();
  const matching = { operation: 'createCard', probability: chance.next() } as const;
  if (chance.is(0.5)) faults.add({ ...matching, kind: 'stall', ms: chance.below(KILL_WITHIN_MS) });
  if (chance.is(0.1)) faults.add({ ...matching, kind: 'hang', executed: chance.is(0.5) });
}

async function freshForms(lane: Lane, kill: number, again: SentForm[]): Promise<SentForm[]> {
  const { setting, name } = lane;
  const busy = new Set(again.map(({ by }) => by.user.id));
  const free = setting.people.filter(({ id }) => !busy.has(id));
  return Promise.all(
    free.map(async (user, index) => {
      const by = setting.acme.as(user);
      return prepareAtLast(setting, by, `${name}, kill ${kill + 1}, form ${index + 1}`);
    }),
  );
}

export const killRow: Row = {
  row: 1,
  title: 'kill -9 at random moments while submitting',
  mutation:
    '“sending” found at a start is sent again instead of asked about (send-request.ts): 8 references doubled in 12 kills',
  runs: { full: 500, quick: 6 },
  run,
};
