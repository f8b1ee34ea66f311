import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_ENTRY } from './app-process.ts';
import { maySubmit, newWave, pressSometime, type SentForm, submit } from './forms.ts';
import { countOutcomes, eventually, type Outcome, settle } from './outcomes.ts';
import { postLinks } from './posting.ts';
import { chanceOf } from './random.ts';
import { type Figures, inMs, type Row, type RowOptions, sumOf } from './row.ts';
import { HOUR_MS, MINUTE_MS, moveClocks, withSetting } from './setting.ts';

/** Platforms kill a process this long after asking it to end (Docker). */
const DRAINED_WITHIN_MS = 10_000;
const SETTLED_WITHIN_MS = 45_000;

const PEOPLE_AT_CLOCK = 6;
const PRESSING_AT_CLOCK_MS = 100;
/** Within Slack's five minutes, so that signatures stay valid while only the app's clock is wrong. */
const SKEWS_MS = [-4 * MINUTE_MS, 4 * MINUTE_MS] as const;
const LEAPS_MS = [HOUR_MS, 25 * HOUR_MS, -HOUR_MS] as const;

/** In the end the app's clock is right again, and nothing may wait longer than it was set back. */
function clockJumps(seed: number, rounds: number) {
  return withSetting({ seed, people: PEOPLE_AT_CLOCK }, async (setting) => {
    const { clock } = setting;
    const chance = chanceOf(seed);
    const app = await setting.start({ entry: CLOCK_ENTRY });
    const forms: SentForm[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const wave = await newWave(setting, `Jump ${round}`);
      forms.push(...wave);
      const pressed = pressSometime(wave, chance, PRESSING_AT_CLOCK_MS);
      await sleep(chance.below(PRESSING_AT_CLOCK_MS));
      if (chance.is(0.5)) await app.setClockOffset(clock.offsetMs + chance.pick(SKEWS_MS));
      else await moveClocks(setting, app, clock.offsetMs + chance.pick(LEAPS_MS));
      await pressed;
      await moveClocks(setting, app, clock.offsetMs);
    }
    // Work may be late by as much as the clock was set back, so that time passes, too.
    await moveClocks(setting, app, clock.offsetMs + HOUR_MS + 5 * MINUTE_MS);
    const { counts } = await settle(setting, forms, SETTLED_WITHIN_MS);
    return { counts, jumps: 2 * rounds };
  });
}

const PEOPLE_AT_SOCKET = 6;
const GONE_MS = 10_000;
const BACK_WITHIN_MS = 60_000;

/** Cuts Socket Mode for 10 s while forms are sent. Whoever saw an error presses Send again once it is back. */
function socketDown(seed: number) {
  const options = { seed, transport: 'socket', people: PEOPLE_AT_SOCKET } as const;
  return withSetting(options, async (setting) => {
    const { slack } = setting;
    await setting.start();
    const forms = await newWave(setting, 'Socket');
    const [during, after] = [forms.slice(0, forms.length / 2), forms.slice(forms.length / 2)];
    const pressed = during.map(submit);
    const closed = slack.faults.add({ method: 'apps.connections.open', kind: 'http', status: 503 });
    slack.sockets.dropAll();
    await Promise.all([...pressed, ...after.map(submit)]);
    await sleep(GONE_MS);
    closed();
    const opened = performance.now();
    const isBack = await eventually(() => slack.sockets.count() > 0, BACK_WITHIN_MS);
    const backAfterMs = isBack ? performance.now() - opened : Number.POSITIVE_INFINITY;
    await Promise.all(forms.filter(maySubmit).map(submit));
    await eventually(() => countOutcomes(setting, forms).ok === forms.length, SETTLED_WITHIN_MS);
    const counts = countOutcomes(setting, forms);
    // Everyone could press again, so whatever isn't a card by now is lost.
    const lost = counts.lost + counts['not acknowledged'];
    return { counts: { ...counts, lost }, backAfterMs };
  });
}

const LINKS = 20;
const SLOWEST_ANSWER_MS = 1_500;
const PRESSING_MS = 300;

/** Asks the app to stop while forms are being sent and links come in, as often as given. */
function stopUnderLoad(seed: number, stops: number, say: (progress: string) => void) {
  return withSetting({ seed }, async (setting) => {
    const { service } = setting;
    const chance = chanceOf(seed);
    const forms: SentForm[] = [];
    const stopMs: number[] = [];
    let endedBadly = 0;
    for (let stop = 1; stop <= stops; stop += 1) {
      service.faults.clear();
      const app = await setting.start();
      const wave = await newWave(setting, `Stop ${stop}`);
      forms.push(...wave);
      service.faults.add({ kind: 'stall', ms: chance.below(SLOWEST_ANSWER_MS) });
      const pressed = pressSometime(wave, chance, PRESSING_MS);
      const links = postLinks(setting, chance, LINKS);
      await sleep(chance.below(PRESSING_MS));
      const asked = performance.now();
      const { code } = await app.stop();
      stopMs.push(performance.now() - asked);
      if (code !== 0) endedBadly += 1;
      await Promise.all([pressed, links]);
      if (stop % 5 === 0) say(`${stop} of ${stops} ends`);
    }
    service.faults.clear();
    await setting.start();
    const { counts } = await settle(setting, forms, SETTLED_WITHIN_MS);
    return { counts, slowestMs: Math.max(...stopMs), endedBadly };
  });
}

/** Each run is one SIGTERM under load; the other two faults run beside each other. */
async function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  const [socket, clock] = await Promise.all([socketDown(seed), clockJumps(seed, runs)]);
  say('the socket is back, the clock is right again');
  const stops = await stopUnderLoad(seed, runs, say);
  const total = (kind: Outcome) => sumOf([socket, clock, stops], ({ counts }) => counts[kind]);
  const counts = {
    ok: total('ok'),
    'in doubt and told': total('in doubt and told'),
    'not acknowledged': total('not acknowledged'),
    waiting: total('waiting'),
    untold: total('untold'),
    lost: total('lost'),
    doubled: total('doubled'),
  };
  return {
    counts,
    measured: {
      'slowest exit after SIGTERM': inMs(stops.slowestMs),
      'ended badly': String(stops.endedBadly),
      'socket back after': inMs(socket.backAfterMs),
      'clock jumps': String(clock.jumps),
    },
    holds:
      counts.ok > 0 &&
      counts.waiting + counts.untold + counts.lost + counts.doubled === 0 &&
      stops.endedBadly === 0 &&
      // The service answers in time, so nothing is left in doubt.
      stops.counts['in doubt and told'] === 0 &&
      stops.slowestMs < DRAINED_WITHIN_MS,
  };
}

export const interruptionsRow: Row = {
  row: 21,
  title: 'Socket Mode down for 10 s during a submission; SIGTERM under load; clock jumps',
  mutation: 'stopping doesn’t wait for deliveries (app.ts): 2 in doubt',
  runs: { full: 30, quick: 2 },
  run,
};
