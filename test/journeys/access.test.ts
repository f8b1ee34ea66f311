import { describe, expect, it } from 'vitest';
import { ALL_ROUTES, SUB_COMMANDS } from '../slack/all-routes.ts';
import type { Message, User } from '../stand-ins/slack/state/model.ts';
import { type Actor, CASES, type Case } from './access-cases.ts';
import {
  freshForm,
  refusedRequest,
  repeatAs,
  SECRETS,
  type Stage,
  setTheStage,
} from './access-stage.ts';
import {
  openFilledForm,
  openForm,
  pressUntil,
  sendRequest,
  submitUntil,
  untilSees,
} from './form.ts';
import { ALLOW_GUESTS, changeSettings, privateAnswer, SHARE_EXTERNALLY, settled } from './links.ts';
import { listsRead } from './lists-read.ts';
import type { World } from './world.ts';

const REFUSALS = {
  outsider: 'This app belongs to the other company in this channel, so you can’t use it here.',
  guest: 'Only full members of this workspace can use this app.',
  deactivated: 'Your account in this workspace is deactivated',
  not_admin: 'Only workspace admins',
};

/** Everything the app has sent to Slack after a given call, except with one method. */
const saidSince = ({ world, redrawn }: Stage, calls: number, except?: string) =>
  world.slack.apiCalls
    .slice(calls)
    .filter(({ method }) => method !== except)
    .filter(({ args }) => !redrawn.has(String(args.view_id)) && !redrawn.has(String(args.ts)))
    .map(({ args }) => JSON.stringify(args))
    .join('\n');

const messagesOf = ({ world: { acme, general }, channel }: Stage, who: User): Message[] => [
  ...[channel, general].flatMap((one) => acme.messages(one)),
  ...acme.directMessages(who),
];

async function walk(
  { stage, who, requestId }: Actor,
  outcomeOf: (one: Case) => keyof typeof REFUSALS | 'allowed',
): Promise<void> {
  const { world } = stage;
  const { slack, service } = world;
  const me = world.acme.as(who);
  for (const [name, one] of Object.entries(CASES)) {
    const outcome = outcomeOf(one);
    // Watched cards are drawn up to a second after the case that changed them.
    for (const { ts } of messagesOf(stage, who)) stage.redrawn.add(ts);
    const act = await one.prepare({ stage, who, requestId });
    // What a permitted case did may still be read, and drawn, for someone who may see it.
    if (outcome === 'not_admin') await settled(world);
    const [said, asked] = [slack.apiCalls.length, service.calls().length];
    const answer = await act();
    // Their Home tab shows what they may see, and is drawn again a moment after permitted cases.
    const except = outcome === 'not_admin' ? 'views.publish' : undefined;
    const heard = () => `${answer}\n${saidSince(stage, said, except)}`;
    if (outcome === 'allowed') {
      await slack.until(() => heard().includes(one.gets), `${name}: ${one.gets}`);
    } else {
      const words = REFUSALS[outcome];
      if (!one.isSilent) await slack.until(() => heard().includes(words), `${name}: ${words}`);
      await slack.idle();
      expect(heard(), name).not.toMatch(SECRETS);
      expect(service.calls().length, name).toBe(asked);
    }
    if (me.currentView()) await me.close({ all: true });
  }
}

/** Routes without access: the command, whose subcommands have their own, links to a URL, closing a form, and Slack's own events. */
const ANYONE_MAY = new Set(['command', 'url-button', 'closed', 'event']);

const denied = (why: keyof typeof REFUSALS) => () => why;

describe('the access rule', () => {
  it('covers every command, button, menu, and modal', () => {
    const commands = SUB_COMMANDS.map(({ name = '' }) => name);
    const others = ALL_ROUTES.filter(({ kind }) => !ANYONE_MAY.has(kind));
    const routes = others.map(({ kind, id }) => `${kind}:${id}`);
    expect(Object.keys(CASES).toSorted()).toEqual([...commands, ...routes].toSorted());
  });

  it('lets admins do everything', async () => {
    const stage = await setTheStage();
    const who = stage.world.admin;
    const requestId = await refusedRequest(stage, who);
    await walk({ stage, who, requestId }, () => 'allowed');
  });

  const ifUser = ({ access }: Case) => (access === 'users' ? 'allowed' : 'not_admin');

  it('lets full members do everything except administer the app', async () => {
    const stage = await setTheStage();
    const who = stage.world.ann;
    await walk({ stage, who, requestId: await refusedRequest(stage, who) }, ifUser);
  });

  it('lets guests do the same everywhere once an admin allows guests', async () => {
    const stage = await setTheStage();
    const who = stage.world.acme.addUser({ name: 'Gus', guest: 'multi' });
    stage.world.general.members.add(who.id);
    await walk({ stage, who, requestId: await refusedRequest(stage, who) }, ifUser);
  });

  it('lets guests do nothing until an admin allows them', async () => {
    const stage = await setTheStage();
    await changeSettings(stage.world, { 'Guests and other companies': [SHARE_EXTERNALLY] });
    const who = stage.world.acme.addUser({ name: 'Gus', guest: 'single' });
    const requestId = await refusedRequest(stage, stage.world.ann);
    await walk({ stage, who, requestId }, denied('guest'));
  });

  it('lets people from other companies do nothing, even where guests are allowed', async () => {
    const stage = await setTheStage();
    const requestId = await refusedRequest(stage, stage.world.ann);
    await walk({ stage, who: stage.bob, requestId }, denied('outsider'));
  });

  it('lets people do nothing once they are deactivated', async () => {
    const stage = await setTheStage();
    const { world } = stage;
    const who = world.acme.addUser({ name: 'Dora', admin: true });
    world.general.members.add(who.id);
    const requestId = await refusedRequest(stage, who);
    // Slack's answer is cached for two minutes, but only in memory.
    await world.restart();
    await listsRead(world);
    who.deleted = true;
    await walk({ stage, who, requestId }, denied('deactivated'));
  });
});

it('the request form stays open behind the refusal for someone who has become a guest', async () => {
  const { world } = await setTheStage();
  const { ann, me } = world;
  await changeSettings(world, { 'Guests and other companies': [] });
  await openForm(world, me, 'Spring banner');
  await world.restart();
  ann.guest = 'multi';
  await me.fill({ Title: 'Summer banner', 'Request type': 'Print' });
  await untilSees(world, me, REFUSALS.guest);
  await me.close();
  expect(me.field('Title').value).toMatchObject({ value: 'Summer banner' });
});

describe('a request', () => {
  const cardsMade = ({ world }: Stage) => world.service.cards.all().length;
  const triesOf = ({ service }: World) => service.calls({ operation: 'createCard' }).length;

  it('from someone the app hasn’t met is accepted, and not sent if they turn out to be denied', async () => {
    const stage = await setTheStage();
    const { world, bob } = stage;
    const before = cardsMade(stage);
    const said = world.slack.apiCalls.length;
    expect(await repeatAs(stage, bob, 'request-form', freshForm(stage))).toContain('Sending…');
    const isRefused = () => saidSince(stage, said).includes(REFUSALS.outsider);
    await world.slack.until(isRefused, 'the refusal');
    expect(cardsMade(stage)).toBe(before);
    expect(saidSince(stage, said)).not.toMatch(SECRETS);
  });

  it('stays in its form, with everything typed, if its author is known to be denied', async () => {
    const stage = await setTheStage();
    const { world, bob, channel } = stage;
    await privateAnswer(world, bob, () => world.acme.as(bob).command(channel, 'help'));
    const answer = JSON.parse(await repeatAs(stage, bob, 'request-form', freshForm(stage)));
    expect(answer.response_action).toBe('errors');
    expect(Object.entries(answer.errors)).toEqual([
      [expect.stringMatching(/^title/), REFUSALS.outsider],
    ]);
  });

  it('that is waiting is not sent once its author has become a guest', async () => {
    const stage = await setTheStage();
    const { world } = stage;
    const { ann, service, slack, me } = world;
    await changeSettings(world, { 'Guests and other companies': [] });
    const [calls, before] = [triesOf(world), cardsMade(stage)];
    const heal = service.faults.add({
      operation: 'createCard',
      kind: 'rate-limited',
      retryAfter: 1,
    });
    await sendRequest(world, me);
    await slack.until(() => triesOf(world) > calls, 'the first try');
    ann.guest = 'multi';
    heal();
    await untilSees(world, me, REFUSALS.guest);
    expect(me.sees()).toContain('Your request is saved. We didn’t send it.');
    expect(cardsMade(stage)).toBe(before);
    expect(triesOf(world)).toBe(calls + 1);
  });

  it('comes back filled in once guests are allowed', async () => {
    const { world } = await setTheStage();
    const { acme, slack } = world;
    const gus = acme.addUser({ name: 'Gus', guest: 'multi' });
    world.general.members.add(gus.id);
    const me = acme.as(gus);
    await openFilledForm(world, me);
    await changeSettings(world, { 'Guests and other companies': [] });
    await world.restart();
    await submitUntil(world, me, REFUSALS.guest);
    await me.close({ all: true });
    await changeSettings(world, { 'Guests and other companies': [ALLOW_GUESTS] });
    const [message] = await slack.until(() => acme.directMessages(gus), 'the note');
    if (!message) throw new Error('There is no note');
    await pressUntil(world, me, { message, text: 'Fix and resend' }, 'Request type');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    const before = triesOf(world);
    await me.submit();
    await slack.until(() => triesOf(world) > before, 'the request');
  });
});
