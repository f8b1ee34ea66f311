import { describe, expect, it } from 'vitest';
import { REQUEST_JOBS } from '../../src/requests/jobs.ts';
import { hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect, note, waitingRequest } from './connecting.ts';
import { databaseOf } from './database-rows.ts';
import {
  chooseType,
  fillForm,
  openForm,
  openFormFrom,
  showAllFields,
  submitUntil,
} from './form.ts';
import { answerTo } from './links.ts';
import { startWorld, type World } from './world.ts';

const LATER = 'Once your workspace is connected, we’ll ask you to choose a type and send it.';

const created = ({ service }: World) => service.calls({ operation: 'createCard', executed: true });
const confirmation = ({ slack, acme, general }: World) =>
  slack.until(() => acme.messages(general)[0], 'the confirmation');

/** Opens the form and waits until it says that the workspace isn't connected. */
async function openWithoutKey(world: World, me: Person, typed = ''): Promise<void> {
  await openFormFrom(world, me, typed);
  expect(me.sees()).toContain('You can already write your request');
}

/** The labels of the inputs that a person sees. */
const fieldsOf = (me: Person) =>
  ((me.currentView()?.view.blocks ?? []) as { type: string; label?: { text: string } }[])
    .filter(({ type }) => type === 'input')
    .map(({ label }) => label?.text);

const ASKED = { Title: 'Spring banner', Description: 'A banner for the spring sale.' };

/** Sends a request that is saved until the workspace is connected. */
async function askWithoutKey(world: World, me: Person): Promise<void> {
  await openWithoutKey(world, me);
  await me.fill(ASKED);
  await me.submit();
  await note(world, 'Your request is saved');
}

describe('the form of a workspace that was connected before', () => {
  it('opens with the lists that were known, over a restart, and its request waits', async () => {
    const { world, general, service, ada, me } = await startWorld();
    await openForm(world, me);
    await me.close({ all: true });
    service.revokeKey(service.apiKey);
    await me.command(general, 'tags');
    await world.restart({ listsKept: true });
    await openWithoutKey(world, me);
    expect(me.sees()).toContain('no longer accepts');
    await fillForm(world, me);
    await me.submit();
    await note(world, 'Your request is saved');
    expect(created(world)).toEqual([]);
    await connect(world, ada, service.issueKey());
    expect(textOfMessage(await confirmation(world))).toContain('Spring banner');
    expect(created(world)).toHaveLength(1);
  });

  it('asks its author again in a new message if the new key is another account’s', async () => {
    const { world, acme, ann, me, service, ada } = await waitingRequest();
    const [waiting] = acme.directMessages(ann);
    // The same ID means something else there.
    const [social] = service.referenceLists.requestTypes.filter(({ id }) => id === 'type-social');
    if (social) social.name = 'Vehicle wraps';
    await connect(world, ada, service.issueKey());
    const message = await note(world, 'Finish your request');
    expect(created(world)).toEqual([]);
    // Slack notifies nobody of a changed message.
    await expect.poll(() => acme.directMessages(ann)).toEqual([message]);
    expect(message.ts).not.toBe(waiting?.ts);
    await me.close({ all: true });
    await openFormFrom(world, me, { message, text: 'Finish your request' });
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('is sent later, and nobody asked to finish it, while its brand can’t be looked up', async () => {
    let ahead = 0;
    const clock = () => new Date(Date.now() + ahead);
    const { world, me } = await waitingRequest({ clock }, { Brand: 'Amber Bakery' });
    const { general, service, cardUrl, ada } = world;
    const back = service.faults.add({ operation: 'listBrands', kind: 'status', status: 503 });
    await connect(world, ada, service.issueKey());
    expect(ada.sees()).not.toContain('to finish it');
    const created = () => service.calls({ operation: 'createCard' }).length;
    const postponed = databaseOf(world)
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', REQUEST_JOBS.send)
      .where('finishedAt', 'is', null)
      .where('runAt', '>', new Date());
    await expect.poll(() => postponed.execute()).toHaveLength(1);
    back();
    ahead = 60_000;
    await me.post(general, cardUrl('card-1001'));
    await expect.poll(created).toBe(1);
    expect(me.sees()).not.toContain('Finish your request');
  });

  it('uses the new ID of what it was sent with', async () => {
    const { world, service, ada } = await waitingRequest();
    const [social] = service.referenceLists.requestTypes.filter(({ id }) => id === 'type-social');
    if (social) social.id = 'type-77';
    await connect(world, ada, service.issueKey());
    await confirmation(world);
    expect(JSON.stringify(created(world)[0]?.requestBody)).toContain('type-77');
  });
});

describe('the form of a workspace that was never connected', () => {
  it('asks for little, and its author finishes the request once there is a key', async () => {
    const world = await startWorld({ connected: false });
    const { ann, service, me, ada } = world;
    await openWithoutKey(world, me, 'Spring banner');
    expect(fieldsOf(me)).toEqual(['Title', 'Description', 'Needed by']);
    expect(me.sees()).toContain(LATER);
    await me.fill(ASKED);
    await me.submit();
    expect(textOfMessage(await note(world, 'Your request is saved'))).toContain(LATER);
    await me.close({ all: true });
    const listed = await answerTo(world, me, 'list');
    expect(textOfMessage(listed)).toContain('*Spring banner* · Waiting for an API key · ');
    await world.restart();
    await connect(world, ada, service.apiKey);
    expect(ada.sees()).toContain(`One request waits: we asked <@${ann.id}> to finish it.`);
    const message = await note(world, 'Your workspace is connected now');
    expect(created(world)).toEqual([]);
    await openFormFrom(world, me, { message, text: 'Finish your request' }, 'Request type');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(JSON.stringify(me.field('Description').value)).toContain('spring sale');
    expect(me.sees()).toContain('Choose a request type, then send.');
    expect(me.sees()).not.toContain('Finish your request');
    await chooseType(world, me, 'Social media');
    await showAllFields(world, me);
    await me.fill({ Product: 'Graphics', Sizes: '1 × 1 m', Software: 'Figma' });
    await me.fill({ 'File formats': ['PNG'] });
    await me.submit();
    await confirmation(world);
    expect(created(world)).toHaveLength(1);
  });

  it('tells its admin truthfully that it keeps the request', async () => {
    const { world, general, service, ada, me } = await startWorld({ connected: false });
    await ada.command(general, 'help');
    await openFormFrom(world, ada, '');
    const words = 'Connect it here, or later: your request is kept.';
    expect(ada.sees()).toContain(words);
    await ada.fill(ASKED);
    await submitUntil(world, ada, 'Your request is saved');
    expect(ada.sees()).toContain(words);
    await askWithoutKey(world, me);
    await connect(world, ada, service.apiKey);
    expect(ada.sees()).toContain('2 requests wait: we asked their authors to finish them.');
  });

  it('accepts one that was open while the workspace was connected', async () => {
    const { world, service, slack, ada, me } = await startWorld({ connected: false });
    await openWithoutKey(world, me);
    await connect(world, ada, service.apiKey);
    await me.fill(ASKED);
    await me.submit();
    await slack.until(() => hasField(me, 'Request type'), 'the form');
    expect(me.sees()).toContain('Choose a request type, then send.');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('marks what is missing if the service has one request type only', async () => {
    const { world, me, service, slack, ada } = await startWorld({ connected: false });
    const { referenceLists: lists } = service;
    lists.requestTypes = lists.requestTypes.filter(({ id }) => id === 'type-social');
    await askWithoutKey(world, me);
    await connect(world, ada, service.apiKey);
    await slack.until(() => hasField(me, 'Sizes'), 'the form');
    for (const missing of ['Add at least one size.', 'Choose the software', 'Choose a product.']) {
      expect(me.sees()).toContain(missing);
    }
  });

  it('is completed when its admin connects on top of it, with what they typed', async () => {
    const { world, service, slack, ada } = await startWorld({ connected: false });
    // Once Slack has told us that she is an admin.
    await ada.command(world.general, 'help');
    await openFormFrom(world, ada, '');
    await ada.fill(ASKED);
    await showAllFields(world, ada);
    await ada.fill({ Wording: 'Spring is here.' });
    await openFormFrom(world, ada, { text: 'Connect' }, 'API key');
    await ada.fill({ 'API key': 'dsk_wrong' });
    await submitUntil(world, ada, 'doesn’t accept this key');
    await ada.fill({ 'API key': service.apiKey });
    await submitUntil(world, ada, 'Connected');
    await ada.close();
    await slack.until(() => hasField(ada, 'Request type'), 'the completed form');
    expect(ada.sees()).not.toContain('isn’t connected');
    expect(ada.field('Title').value).toMatchObject({ value: 'Spring banner' });
    await fillForm(world, ada, { ...ASKED, Brand: 'Amber Bakery' });
    await ada.submit();
    await confirmation(world);
    const amber = service.referenceLists.brands.find(({ name }) => name === 'Amber Bakery');
    expect(created(world)[0]?.requestBody).toMatchObject({
      data: {
        title: 'Spring banner',
        dimension: expect.stringContaining('Post: 1080 × 1080 px'),
        software: 'Figma',
        fileFormats: 'PNG, JPG',
        textCopy: expect.stringContaining('Spring is here.'),
        brandId: amber?.id,
      },
    });
  });
});
