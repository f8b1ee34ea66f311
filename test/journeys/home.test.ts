import { describe, expect } from 'vitest';
import { seesCompleteForm } from '../sandbox/complete-form.ts';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { asObject, objectsOf } from '../stand-ins/slack/json.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { connect } from './connecting.ts';
import { copyRequests } from './database-rows.ts';
import { asked, homeOf, openHome, pressUntil, requested, sendRequest } from './form.ts';
import { ALLOW_GUESTS, answerTo, changeSettings, eventsHandled, postShown } from './links.ts';
import { it, startWorld, type World, worldAhead } from './world.ts';

const published = ({ slack }: World) =>
  slack.apiCalls.filter(({ method }) => method === 'views.publish');

const buttonsOf = (me: Person) =>
  objectsOf(me.home()?.view.blocks).flatMap(({ elements, accessory }) =>
    [...objectsOf(elements), ...objectsOf([accessory])].filter(({ type }) => type === 'button'),
  );
const buttonNames = (me: Person) => buttonsOf(me).map(({ text }) => asObject(text).text);

describe('the Home tab', () => {
  it('shows the connection and how to start, at once', async ({ world, service, me }) => {
    const calls = service.calls().length;
    await openHome(world, me);
    expect(homeOf(me)).toMatch(/Connected to your design service\..*You have no requests yet/s);
    expect(buttonNames(me)).toEqual(['New request', 'Refresh']);
    expect(service.calls().length).toBe(calls);
  });

  it('opens the form, lists the request as soon as it is a card, to nobody else, and offers it again', async () => {
    const { world, slack, ada, me } = await startWorld();
    await openHome(world, me);
    await me.click({ view: me.home(), text: 'New request' });
    await slack.until(() => seesCompleteForm(me), 'the form');
    await me.close({ all: true });
    await requested(world, me);
    const line =
      /Spring banner>\*\n:large_blue_circle: To do · Social media · requested <[^>]*> · DR-\w+/;
    await slack.until(() => line.test(homeOf(me)), 'the request');
    await openHome(world, ada);
    expect(homeOf(ada)).not.toContain('Spring banner');
    await me.click({ view: me.home(), text: 'Request again' });
    await slack.until(() => seesCompleteForm(me), 'the form');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('shows the last known status at once, then reads it again', async () => {
    const { world, pass, service, slack, me } = await worldAhead();
    await requested(world, me);
    const card = service.cards.all().find(({ title }) => title === 'Spring banner');
    service.cards.update(card?.id ?? '', { status: STATUSES.inReview });
    pass(5 * 60_000);
    const calls = service.calls({ operation: 'getCard' }).length;
    await openHome(world, me, 'In review');
    const drawn = published(world).map(({ args }) => JSON.stringify(args.view));
    expect(drawn[0]).toContain('To do');
    expect(drawn.at(-1)).toContain('In review');
    expect(service.calls({ operation: 'getCard' })).toHaveLength(calls + 1);
    await slack.idle();
  });

  it('shows the decision about a request in doubt, and draws the answer instead of a message', async () => {
    const { world, acme, ann, service, slack, me } = await startWorld();
    service.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
    await asked(world, me, { Title: 'Spring banner' });
    await openHome(world, me, 'Needs your answer');
    expect(buttonsOf(me).find(({ text }) => asObject(text).text === 'Discard')).toMatchObject({
      accessibility_label: 'Discard: Spring banner',
    });
    const [messages, ephemerals] = [acme.directMessages(ann).length, acme.ephemerals(ann).length];
    await me.click({ view: me.home(), text: 'Discard' });
    await slack.until(() => !homeOf(me).includes('Needs your answer'), 'the answer');
    await slack.idle();
    expect(homeOf(me)).toContain('Discarded');
    expect(me.currentView()).toBeUndefined();
    expect(acme.directMessages(ann)).toHaveLength(messages);
    expect(acme.ephemerals(ann)).toHaveLength(ephemerals);
  });

  it('shows refused requests with the button that fixes them, which opens the form', async () => {
    const { world, service, slack, me } = await startWorld();
    service.faults.add({ operation: 'createCard', kind: 'status', status: 400, times: 1 });
    await asked(world, me, { Title: 'Spring banner' });
    await openHome(world, me, 'Needs your answer');
    await me.click({ view: me.home(), actionId: 'request-reopen' });
    await slack.until(() => seesCompleteForm(me), 'the form');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('offers settings and Connect to admins, and lets everyone else ask them', async () => {
    const { world, admin, service, slack, ada, me } = await startWorld({ connected: false });
    await openHome(world, ada);
    expect(buttonNames(ada)).toEqual(['New request', 'Connect', 'Settings', 'Refresh']);
    await openHome(world, me);
    expect(buttonNames(me)).toEqual(['New request', 'Ask an admin', 'Refresh']);
    // The reply is a modal, because a Home tab has no channel.
    await me.click({ view: me.home(), text: 'Ask an admin' });
    await slack.until(() => me.currentView(), 'the reply');
    await me.close({ all: true });
    await pressUntil(world, ada, { view: ada.home(), text: 'Settings' }, 'Card links');
    await ada.close({ all: true });
    await connect(world, ada, service.apiKey);
    // For everyone who has it open.
    await slack.until(() => homeOf(me).includes('Connected to your'), 'the connection');
    await slack.until(() => homeOf(ada).includes(`Connected by <@${admin.id}>`), 'by whom');
  });

  it('says that requests wait for a new key', async ({ world, service, slack, ada, me }) => {
    await openHome(world, me);
    service.revokeKey(service.apiKey);
    await sendRequest(world, me, { Title: 'Spring banner' });
    await slack.until(() => homeOf(me).includes('On the way'), 'the request');
    await slack.until(() => homeOf(me).includes('no longer accepts the API key'), 'the key');
    await openHome(world, ada);
    expect(buttonNames(ada)).toContain('Connect');
  });

  it('tells guests why they can’t use it and whom to ask, until an admin allows them', async () => {
    const { world, acme, admin, service, slack, ada } = await startWorld({ connected: false });
    await connect(world, ada, service.apiKey);
    const gus = acme.addUser({ name: 'Gus', guest: 'multi' });
    const me = acme.as(gus);
    await openHome(world, me, `Ask <@${admin.id}> to allow guests.`);
    expect(homeOf(me)).toContain('Only full members of this workspace can use this app.');
    // Also for them, it says what this app is.
    expect(homeOf(me)).toContain('Request design and video work');
    expect(buttonNames(me)).toEqual([]);
    await changeSettings(world, { 'Guests and other companies': [ALLOW_GUESTS] });
    await slack.until(() => buttonNames(me).includes('New request'), 'the button');
  });

  it('lists the cards that they watch, each once, with Stop watching', async () => {
    const { world, service, slack, me, cardUrl } = await startWorld();
    const dueDate = new Date('2031-12-01');
    const { id } = service.cards.add({ title: 'Flyer for the open day', dueDate });
    const message = await postShown(world, me, cardUrl(id));
    await answerTo(world, me, { message, text: 'Watch' });
    // Their own request is watched, too, and listed with their requests.
    await requested(world, me);
    await openHome(world, me, 'Cards you watch');
    const [own = '', watched = ''] = homeOf(me).split('Cards you watch');
    expect(own).toContain('Spring banner');
    expect(watched).not.toContain('Spring banner');
    expect(watched).toMatch(/Flyer for the open day>\*\n:\w+: To do · due 1 Dec 2031/);
    const stop = buttonsOf(me).find(({ text }) => asObject(text).text === 'Stop watching');
    expect(stop).toMatchObject({ accessibility_label: 'Stop watching: Flyer for the open day' });
    await me.click({ view: me.home(), text: 'Stop watching' });
    await slack.until(() => !homeOf(me).includes('Cards you watch'), 'that it is gone');
  });

  it('stays within Slack’s limits with many requests, and counts the older ones', async () => {
    const { world, service, me } = await startWorld();
    service.limitKey(service.apiKey, 1_000_000);
    // One is sent by hand, and copied in the database.
    await requested(world, me);
    await copyRequests(world, 39);
    await openHome(world, me, '20 older requests aren’t shown.');
    expect(objectsOf(me.home()?.view.blocks).length).toBeLessThanOrEqual(100);
  });

  it('is drawn for everyone after a change, except for those whose drawing Slack limits', async () => {
    const { world, general, service, slack, ada, me } = await startWorld();
    const people = [me, ada];
    for (const one of people) await openHome(world, one);
    await eventsHandled(world);
    slack.faults.add({ method: 'views.publish', kind: 'rate_limited', retryAfter: 60, times: 1 });
    service.revokeKey(service.apiKey);
    await me.command(general, 'tags');
    const isTold = (one: Person) => homeOf(one).includes('no longer accepts');
    await slack.until(() => people.some(isTold), 'the change');
  });

  it('is drawn later if Slack limits it, and not again if Slack refuses it', async () => {
    const { world, slack, me, logLines } = await startWorld();
    slack.faults.add({ method: 'views.publish', kind: 'rate_limited', retryAfter: 1, times: 1 });
    await openHome(world, me);
    slack.faults.add({ method: 'views.publish', kind: 'error', error: 'not_enabled' });
    const before = published(world).length;
    me.openApp();
    await slack.until(() => published(world).length > before, 'the attempt');
    await eventsHandled(world);
    expect(published(world)).toHaveLength(before + 1);
    const refusals = logLines.filter((line) => line.includes('Slack refused a Home tab'));
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toContain('home_tab_enabled');
  });
});
