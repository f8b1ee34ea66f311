import { Agent } from 'node:http';
import type { Delivery } from '../stand-ins/slack/dispatch/delivery.ts';
import type { JsonObject } from '../stand-ins/slack/json.ts';
import { changedPayload } from './fuzz/changed-payload.ts';
import { type Recorded, strangeBody, withFreshIds } from './fuzz/http-bodies.ts';
import { recordDeliveries } from './fuzz/record-deliveries.ts';
import { SLACK_WAITS_MS, send } from './fuzz/send.ts';
import { asJson, strangeText, strangeValue } from './fuzz/strange-values.ts';
import { mainJobProblem } from './main-job.ts';
import { eventually } from './outcomes.ts';
import { type Cost, costOf, costsAsText, isBounded } from './process-cost.ts';
import { type Chance, chanceOf } from './random.ts';
import { type Figures, inMs, median, p99, quantile, type Row, type RowOptions } from './row.ts';
import { type Setting, withSetting } from './setting.ts';

/** Names that Slack's own client uses internally, as an event's type. */
const CLIENTS_OWN = [
  'error',
  'close',
  'connected',
  'disconnected',
  'disconnecting',
  'authenticated',
  'ws_message',
  'slack_event',
  'hello',
  'disconnect',
] as const;

/** One frame for a socket; rarely one that asks to reconnect, since each of those takes time. */
function strangeFrame(chance: Chance, recorded: Recorded): string {
  if (chance.is(0.001)) return asJson({ type: 'disconnect', reason: strangeValue(chance) });
  return chance.pick([
    () => asJson(strangeValue(chance)),
    () => strangeText(chance),
    () => asJson(changedPayload(chance, envelope(chance, recorded))),
    () => asJson(envelope(chance, recorded, (payload) => changedPayload(chance, payload))),
    () => asJson({ ...envelope(chance, recorded), payload: strangeValue(chance) }),
    () => asJson({ ...envelope(chance, recorded), type: chance.pick(CLIENTS_OWN) }),
    () => asJson(eventNamed(chance, chance.pick(CLIENTS_OWN))),
    () => asJson(eventNamed(chance, strangeValue(chance))),
    () => asJson(envelope(chance, recorded)).slice(0, chance.below(500)),
  ])();
}

function envelope(
  chance: Chance,
  recorded: Recorded,
  change: (payload: JsonObject) => JsonObject = (payload) => payload,
): JsonObject {
  const { kind, payload } = chance.pick(recorded);
  const types = { command: 'slash_commands', event: 'events_api' } as const;
  const type = kind === 'command' || kind === 'event' ? types[kind] : 'interactive';
  return frameOf(chance, type, change(withFreshIds(chance, payload)));
}

const frameOf = (chance: Chance, type: string, payload: JsonObject) => ({
  envelope_id: `fuzz-${chance.below(2 ** 40)}`,
  type,
  payload,
  accepts_response_payload: type !== 'events_api',
});

function eventNamed(chance: Chance, type: unknown): JsonObject {
  const id = chance.below(2 ** 40);
  return frameOf(chance, 'events_api', {
    type: 'event_callback',
    event_id: `Ev${id}`,
    team_id: 'T000000001',
    event: { type },
  });
}

/** The share of payloads that come as frames over Socket Mode. */
const FRAMES = 0.2;
/** More at once than Slack ever sends, but not so many that all wait for the process's one thread. */
const FRAMES_AT_ONCE = 20;
const CONNECTS_WITHIN_MS = 30_000;
const TELL_EVERY = 5_000;

async function run(options: RowOptions): Promise<Figures> {
  const http = await overHttp(options);
  const socket = await overSocket(options, http.recorded);
  const times = http.answers.map(({ ms }) => ms);
  const late = [...times, ...socket.times].filter((ms) => ms > SLACK_WAITS_MS).length;
  const unanswered = http.answers.filter(({ status }) => status === undefined).length;
  const ending = (from: number) =>
    http.answers.filter(({ status = 0 }) => status >= from && status < from + 100).length;
  const crashes = [http, socket].filter(({ problem }) => problem !== undefined).length;
  return {
    counts: {
      accepted: ending(200),
      refused: ending(400),
      'answered 500': ending(500),
      'later than 3 s': late,
      unanswered,
      frames: socket.frames,
      'crashes and hangs': crashes,
    },
    measured: {
      p50: inMs(median(times)),
      p99: inMs(p99(times)),
      slowest: inMs(quantile(times, 1)),
      ...costsAsText(http.costs, 'payload'),
      'p99 after frames': inMs(p99(socket.times)),
      'a request afterwards': http.problem ?? socket.problem ?? 'works',
    },
    holds: times.length > 0 && late + unanswered + crashes === 0 && isBounded(http.costs),
  };
}

function overHttp({ seed, runs, say }: RowOptions) {
  return withSetting({ seed }, async (setting) => {
    const app = await setting.start();
    const recorded = await recordDeliveries(setting);
    const chance = chanceOf(seed);
    const agent = new Agent({ keepAlive: true });
    const { signingSecret } = setting.slack;
    const target = { url: `${await app.ready}/slack/events`, signingSecret, agent };
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    const costs: Cost[] = [];
    // One by one, so that the cost of each is known.
    while (answers.length < runs && !app.hasEnded()) {
      const body = strangeBody(chance, recorded);
      const { cost, result } = await costOf(app.pid, () => send(target, body));
      answers.push(result);
      costs.push(cost);
      if (answers.length % TELL_EVERY === 0) say(`${answers.length} of ${runs} payloads`);
    }
    agent.destroy();
    return { recorded, answers, costs, problem: await mainJobProblem(setting) };
  });
}

function overSocket({ seed, runs, say }: RowOptions, recorded: Recorded) {
  return withSetting({ seed, transport: 'socket' }, async (setting) => {
    await setting.start();
    const { acme, admin, general, slack } = setting;
    await acme.as(admin).post(general, 'https://app.example.com/help');
    await slack.idle();
    const ordinary = slack.deliveries[0];
    const chance = chanceOf(seed);
    const frames = Math.ceil(runs * FRAMES);
    const times: number[] = [];
    for (let sent = 0; sent < frames; sent += FRAMES_AT_ONCE) {
      for (let frame = 0; frame < FRAMES_AT_ONCE; frame += 1) {
        slack.sockets.sendRaw(strangeFrame(chance, recorded));
      }
      // Strange frames have no answer to wait for, but an ordinary one after them has.
      if (ordinary) times.push(await acknowledged(setting, ordinary));
      if (sent % TELL_EVERY === 0 && sent > 0) say(`${sent} of ${frames} frames`);
    }
    return { frames, times, problem: await mainJobProblem(setting) };
  });
}

/** Delivers until it is acknowledged, since some frames end their connection. @returns the ms of the last try */
async function acknowledged({ slack }: Setting, delivery: Delivery): Promise<number> {
  const attempt = await eventually(async () => {
    const { error, ms } = await slack.redeliver(delivery);
    return error ? undefined : { ms };
  }, CONNECTS_WITHIN_MS);
  return attempt?.ms ?? Number.POSITIVE_INFINITY;
}

export const fuzzedPayloadsRow: Row = {
  row: 8,
  title: 'fuzzed payloads with a valid signature',
  mutation:
    'exceptions from Bolt are not caught (intake.ts): the process ended within 50 payloads; frames that aren’t JSON are not caught (socket-connection.ts): it ended within 20 frames',
  runs: { full: 50_000, quick: 500 },
  run,
};
