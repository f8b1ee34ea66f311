import { expect } from 'vitest';
import type { Delivery, DeliveryKind } from '../stand-ins/slack/dispatch/delivery.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect } from './connecting.ts';
import { databaseOf } from './database-rows.ts';
import { openForm, openFormFrom, openHome, sendRequest } from './form.ts';
import { answerTo } from './links.ts';
import { it, startWorld, type World } from './world.ts';

const lastOf = ({ slack }: World, kind: DeliveryKind): Delivery => {
  const delivery = slack.deliveries.findLast((one) => one.kind === kind);
  if (!delivery) throw new Error(`Slack delivered no ${kind}`);
  return delivery;
};

/** Sends the same bytes again, signature included. */
async function replay(world: World, delivery: Delivery): Promise<void> {
  const before = callsToSlack(world);
  const { headers = {} } = delivery.attempts[0] ?? {};
  const { status } = await world.slack.sendRaw(headers, delivery.rawBody);
  expect(status).toBe(200);
  await nothingIsUnderWay(world);
  const helpToSomebodyElse = 1;
  expect(callsToSlack(world)).toBe(before + helpToSomebodyElse);
}

/** The same to an app that has restarted since. */
async function replayAfterRestart(world: World, delivery: Delivery): Promise<void> {
  await world.slack.idle();
  await world.restart();
  await replay(world, delivery);
}

/** Whatever started before another person's command takes effect before it. */
async function nothingIsUnderWay(world: World): Promise<void> {
  const other = world.acme.addUser({ name: 'Otto' });
  await world.acme
    .as(other)
    .command(world.acme.addChannel({ name: 'elsewhere', members: [other] }), 'help');
  await world.slack.until(() => world.acme.ephemerals(other)[0], 'help');
}

/** Calls that show people something, except redrawing a view, which jobs do later. */
const callsToSlack = ({ slack }: World) =>
  slack.apiCalls.filter(({ method }) => /^(views\.open|chat\.post|response_url)/.test(method))
    .length;

const posts = ({ service }: World) => service.calls({ operation: 'createCard' }).length;

const questionTo = ({ acme, ann }: World) =>
  acme
    .directMessages(ann)
    .find((message) => textOfMessage(message).includes('Did this request arrive'));

/** A request of Ann's in doubt. */
async function inDoubt(world: World, times: number) {
  world.service.faults.add({ operation: 'createCard', times, kind: 'drop-after-executing' });
  const { me } = world;
  await sendRequest(world, me);
  const question = await world.slack.until(() => questionTo(world), 'the question');
  await me.close({ all: true });
  return { me, question };
}

/** What is stored of one kind of small values, with when it was stored. */
const stored = (world: World, kind: string) =>
  databaseOf(world).selectFrom('entries').selectAll().where('kind', '=', kind).execute();

/** After the restart, the app gets to know who they are, and prepares at once what they open. */
async function restartKnowing(world: World): Promise<void> {
  await world.slack.idle();
  await world.restart();
  await answerTo(world, world.me, 'help');
}

it.each([true, false])(
  'a command replayed after a restart opens no second form, and stores none (lists are read: %s)',
  async (areRead) => {
    const { world, service, me } = await startWorld();
    await openForm(world, me, 'Spring banner');
    const typed = lastOf(world, 'command');
    if (!areRead) service.faults.add({ method: 'GET', kind: 'hang' });
    await restartKnowing(world);
    const before = await stored(world, 'unfinished_form');
    await replay(world, typed);
    expect(await stored(world, 'unfinished_form')).toEqual(before);
  },
);

it('a command replayed after a restart doesn’t change where its author was last', async () => {
  const { world, acme, ann, me } = await startWorld();
  await me.command(world.general, 'help');
  await expect.poll(() => stored(world, 'last_channel')).toHaveLength(1);
  const first = lastOf(world, 'command');
  const other = acme.addChannel({ name: 'design', members: [ann] });
  await me.command(other, 'help');
  const lastOfAnn = async () =>
    (await stored(world, 'last_channel')).find(({ name }) => name === ann.id)?.value;
  await expect.poll(lastOfAnn).toContain(other.id);
  await replayAfterRestart(world, first);
  expect(await lastOfAnn()).toContain(other.id);
});

it('“Continue your request” replayed after a restart doesn’t store the form again', async () => {
  const { world, slack, me } = await startWorld();
  slack.state.closedViewsHaveState = true;
  await openForm(world, me);
  await me.fill({ Title: 'Spring banner' });
  await me.close();
  const home = await openHome(world, me, 'Continue your request');
  await openFormFrom(world, me, { view: home, text: 'Continue your request' });
  const pressed = lastOf(world, 'block_actions');
  await restartKnowing(world);
  const before = await stored(world, 'unfinished_form');
  await replay(world, pressed);
  expect(await stored(world, 'unfinished_form')).toEqual(before);
});

it('“Not there, send again” replayed after a restart sends nothing', async ({ world, slack }) => {
  const { me, question } = await inDoubt(world, 2);
  const answer = await answerTo(world, me, { message: question, text: 'Not there, send again' });
  expect(answer.text).toContain('Sending it again');
  await slack.until(() => posts(world) === 2 && questionTo(world), 'the question again');
  await replayAfterRestart(world, lastOf(world, 'block_actions'));
  expect(posts(world)).toBe(2);
});

it('a form replayed after a restart, once its request was discarded, sends nothing', async () => {
  const world = await startWorld();
  const { me, question } = await inDoubt(world, 1);
  const sent = lastOf(world, 'view_submission');
  const answer = await answerTo(world, me, { message: question, text: 'Discard' });
  expect(answer.text).toContain('Discarded');
  await replayAfterRestart(world, sent);
  expect(posts(world)).toBe(1);
});

it('a key replayed after a restart doesn’t replace the one connected since', async () => {
  const { world, service, slack, ada, me } = await startWorld({ connected: false });
  await connect(world, ada, service.apiKey);
  const first = lastOf(world, 'view_submission');
  const newer = service.issueKey();
  await connect(world, ada, newer);
  await ada.close({ all: true });
  await replayAfterRestart(world, first);
  await sendRequest(world, me);
  await slack.until(() => posts(world) === 1, 'the request');
  expect(service.calls({ operation: 'createCard' })[0]?.keyEnding).toBe(newer.slice(-4));
});
