import { describe, expect } from 'vitest';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import type { FaultKind } from '../stand-ins/slack/faults.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import {
  eventsHandled,
  eventsResting,
  NO_CARD,
  poster,
  postShown,
  postUnshown,
  shown,
  slackCalls,
  untilSays,
} from './links.ts';
import { it, startWorld, type Transport, type World, worldAhead } from './world.ts';

const logged = ({ logLines }: World) =>
  logLines.map((line): Record<string, unknown> => JSON.parse(line));

/** What the log contains at the levels an operator watches. */
const loggedTrouble = (world: World) =>
  logged(world).filter(({ level }) => ['warn', 'error'].includes(String(level)));

const jobsTriedAgain = (world: World) =>
  logged(world).filter(({ msg }) => String(msg).startsWith('job failed'));

/** Slack's definite answers, and one that it doesn't document. */
const REFUSALS = ['missing_scope', 'no_permission', 'channel_not_found', 'a_new_code'];

/** A read and its three retries: after these, the service counts as failing. */
const ONE_READ = 4;

describe('a posted link, when the service', () => {
  it.each<[string, Fault]>([
    ['answers 503', { kind: 'status', status: 503, times: ONE_READ }],
    ['resets connections', { kind: 'reset-before-executing', times: ONE_READ }],
    ['limits calls', { kind: 'rate-limited', retryAfter: 1, times: 1 }],
    ['answers with an HTML page', { kind: 'html', times: 1 }],
  ])('%s, unfurls automatically later', async (_name, fault) => {
    const { world, acme, ann, service, me } = await startWorld();
    service.faults.add({ operation: 'getCard', ...fault });
    const { url } = poster(world);
    const message = await postShown(world, me, url);
    expect(textOfMessage(message)).toContain('Autumn poster');
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
    expect(acme.ephemerals(ann)).toEqual([]);
  });

  it('answers for only one of two cards, is unfurled together with the other', async () => {
    const { world, service, me } = await startWorld();
    const [first, second] = [poster(world), poster(world)];
    service.faults.add({ operation: 'getCard', cardId: second.id, kind: 'html', times: 1 });
    await postShown(world, me, `${first.url} ${second.url}`, { cards: 2 });
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
    expect(service.calls({ operation: 'getCard' })).toHaveLength(3);
  });

  it('is down for minutes, is unfurled once it is back, and after an hour only its poster is told', async () => {
    const { world, pass, acme, ann, general, service, me } = await worldAhead();
    general.members.add(acme.botUserId);
    const down = service.faults.add({ operation: 'getCard', kind: 'html' });
    const [early, late] = [poster(world), poster(world)];
    const tried = ({ id }: { id: string }) =>
      service.ledger.filter(({ path }) => path === `/card/${id}`).length;
    const message = await me.post(general, early.url);
    const forgotten = await me.post(general, late.url);
    await expect.poll(() => tried(early) > 0 && tried(late) > 0).toBe(true);

    // Waiting jobs run once the clock has advanced and something new wakes the queue.
    const minutesLater = async (minutes: number) => {
      const before = tried(late);
      await eventsResting(world);
      pass(minutes * 60_000);
      await me.post(general, NO_CARD);
      await expect.poll(() => tried(late)).toBeGreaterThan(before);
    };
    for (let times = 0; times < 10; times += 1) await minutesLater(5);
    expect([message.attachments, forgotten.attachments]).toEqual([[], []]);
    expect(slackCalls(world, 'chat.unfurl')).toEqual([]);
    down();
    service.faults.add({ operation: 'getCard', cardId: late.id, kind: 'html' });
    await minutesLater(5);
    await untilSays(world, message, 'Autumn poster');
    expect(acme.ephemerals(ann)).toEqual([]);
    await minutesLater(10);
    await eventsHandled(world);
    expect(forgotten.attachments).toEqual([]);
    expect(acme.ephemerals(ann)).toMatchObject([
      { text: expect.stringContaining('took too long') },
    ]);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
  });
});

it('the composer shows nothing when the service is down, limits calls, or answers with a page', async () => {
  const { world, acme, ann, general, service, slack, me } = await startWorld();
  const faults: Fault[] = [{ kind: 'html' }, { kind: 'status', status: 503 }];
  for (const fault of [...faults, { kind: 'rate-limited', retryAfter: 1 } as const]) {
    const heal = service.faults.add({ operation: 'getCard', ...fault });
    const preview = await me.compose(general, poster(world).url);
    await eventsHandled(world);
    heal();
    expect(preview.attachments, fault.kind).toEqual([]);
  }
  expect(slackCalls(world, 'chat.unfurl')).toEqual([]);
  expect(slack.state.ephemerals).toEqual([]);
  expect(acme.directMessages(ann)).toEqual([]);
});

it.each<[string, FaultKind & { method: string }]>([
  ['refuses it', { method: 'chat.unfurl', kind: 'error', error: 'missing_scope' }],
  ['cuts the connection', { method: 'chat.unfurl', kind: 'drop' }],
  ['limits calls', { method: 'chat.unfurl', kind: 'rate_limited', retryAfter: 1 }],
  ['doesn’t say who is writing', { method: 'users.info', kind: 'http', status: 503 }],
])('a composer preview is tried once if Slack %s', async (_name, fault) => {
  const { world, general, slack, me } = await startWorld();
  slack.faults.add(fault);
  const preview = await me.compose(general, poster(world).url);
  await eventsHandled(world);
  expect(preview.attachments).toEqual([]);
  // A connection that is reset before an answer may have been closed by the other side: one repeat on another one.
  expect(slackCalls(world, fault.method)).toHaveLength(fault.kind === 'drop' ? 2 : 1);
  expect(jobsTriedAgain(world)).toEqual([]);
});

describe('calls to Slack', () => {
  it.each<[string, FaultKind]>([
    ['it answers 503', { kind: 'http', status: 503 }],
    ['it cuts the connection', { kind: 'drop' }],
    ['it cuts the connection after it unfurled', { kind: 'lost_answer' }],
    ['it fails internally', { kind: 'error', error: 'internal_error' }],
    ['it stops answering', { kind: 'hang' }],
    ['a page comes in its place', { kind: 'http', status: 200 }],
    ['its answer lacks the end', { kind: 'truncated_answer', length: 9 }],
  ])('are retried if %s', async (_name, fault) => {
    const { world, acme, ann, service, slack, me } = await startWorld();
    slack.faults.add({ method: 'chat.unfurl', times: 1, ...fault });
    const message = await postShown(world, me, poster(world).url);
    await eventsHandled(world);
    expect(message.attachments).toHaveLength(1);
    expect(textOfMessage(message)).toContain('Autumn poster');
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(2);
    expect(service.calls({ operation: 'getCard' })).toHaveLength(1);
    expect(acme.ephemerals(ann)).toEqual([]);
  });

  it('are not retried once it has refused, which is logged once', async ({ world, slack, me }) => {
    for (const error of REFUSALS) {
      slack.faults.add({ method: 'chat.unfurl', kind: 'error', error, times: 1 });
      await postUnshown(world, me, poster(world).url);
    }
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(REFUSALS.length);
    expect(loggedTrouble(world).map(({ code }) => code)).toEqual(REFUSALS);
  });

  it('are not retried for a card that was to be completed later', async () => {
    const { world, pass, me } = await worldAhead();
    const { url } = poster(world);
    await postShown(world, me, url);
    pass(5 * 60_000);
    world.service.faults.add({ operation: 'getCard', kind: 'html' });
    world.slack.faults.add({ method: 'chat.unfurl', kind: 'error', error: 'missing_scope' });
    await postUnshown(world, me, url);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(2);
  });

  it('are not made for links without a poster, as some webhooks send them', async () => {
    const { world, slack, me } = await startWorld();
    await postShown(world, me, poster(world).url);
    const [delivery] = slack.deliveries.filter(({ kind }) => kind === 'event');
    const { user: _, ...event } = Object(delivery?.payload.event);
    const anonymous = { ...delivery?.payload, event, event_id: 'EvWithoutPoster' };
    const answer = await slack.sendSigned(JSON.stringify(anonymous), 'application/json');
    expect(answer.status).toBe(200);
    await eventsHandled(world);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
    expect(loggedTrouble(world)).toEqual([]);
  });

  it('asking who posted a link are not repeated once it has refused', async () => {
    const { world, slack, me } = await startWorld();
    slack.faults.add({ method: 'users.info', kind: 'error', error: 'missing_scope' });
    await postUnshown(world, me, poster(world).url);
    expect(slackCalls(world, 'users.info')).toHaveLength(1);
    expect(loggedTrouble(world).map(({ msg }) => msg)).toEqual(['job failed', 'job given up']);
  });
});

describe.each<Transport>(['http', 'socket'])('an event over %s', (transport) => {
  it('that is delivered several times takes effect once', async () => {
    const { world, slack, me } = await startWorld({ transport });
    await postShown(world, me, poster(world).url);
    const [delivery] = slack.deliveries.filter(({ kind }) => kind === 'event');
    if (!delivery) throw new Error('nothing was delivered');
    for (const retry of [1, 2, 3]) {
      expect(await slack.redeliver(delivery, retry)).toMatchObject({ error: undefined });
    }
    await world.restart();
    expect(await slack.redeliver(delivery, 3)).toMatchObject({ error: undefined });
    await eventsHandled(world);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
  });

  it('that was acknowledged survives a restart before its unfurl', async () => {
    const { world, general, slack, me } = await startWorld({ transport });
    const trouble = slack.faults.add({ method: 'chat.unfurl', kind: 'http', status: 503 });
    const message = await me.post(general, poster(world).url);
    await slack.until(() => slackCalls(world, 'chat.unfurl').length > 0, 'the first try');
    await world.restart();
    trouble();
    await shown(world, message);
    expect(slack.deliveries.filter(({ kind }) => kind === 'event')).toHaveLength(1);
  });
});
