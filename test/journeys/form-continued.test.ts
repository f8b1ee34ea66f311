import { describe, expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import {
  chooseType,
  confirmed,
  fillForm,
  openFilledForm,
  openForm,
  openFormFrom,
  openHome,
  reopenForm,
  requested,
  sendRequest,
  showAllFields,
  submitUntil,
} from './form.ts';
import { setPreset } from './presets.ts';
import { it, startWorld, type World } from './world.ts';

async function continueForm({ slack }: World, me: Person): Promise<void> {
  const before = me.currentView()?.hash;
  await me.click({ text: 'Continue your request' });
  await slack.until(() => me.currentView()?.hash !== before, 'the form');
}

const formOf = (me: Person) => JSON.stringify(me.currentView()?.view);

describe('a form that is continued', () => {
  it('leaves empty what would otherwise be suggested, and is posted nowhere if “Post in” was empty', async () => {
    const { world, acme, ann, general, slack, me } = await startWorld();
    await requested(world, me, { Brand: 'Amber Bakery' });
    await openFilledForm(world, me, { Title: 'Secret banner', Brand: null, 'Post in': null });
    const expectEmpty = () => {
      expect(me.field('Brand').value).toMatchObject({ selected_option: null });
      expect(me.field('Post in').value).toMatchObject({ selected_conversation: null });
    };
    await reopenForm(world, me);
    await continueForm(world, me);
    expectEmpty();
    await me.close({ all: true });

    // From the Home tab, too.
    const home = await openHome(world, me, 'Secret banner');
    await openFormFrom(world, me, { view: home, text: 'Continue your request' });
    expectEmpty();
    await me.submit();
    await slack.until(() => acme.directMessages(ann)[0], 'the confirmation');
    expect(acme.messages(general)).toHaveLength(1);
  });

  it('is offered if only a date was entered, but not for a request type alone', async () => {
    const { world, me } = await startWorld();
    await openForm(world, me);
    await chooseType(world, me, 'Social media');
    await reopenForm(world, me);
    expect(formOf(me)).not.toContain('Continue your request');
    await me.fill({ 'Needed by': '2099-12-31' });
    await reopenForm(world, me);
    await continueForm(world, me);
    expect(me.field('Needed by').value).toMatchObject({ selected_date: '2099-12-31' });
  });

  it('is posted where it was begun, wherever it is continued', async () => {
    const { world, acme, admin, ann, general, slack, me } = await startWorld();
    const random = acme.addChannel({ name: 'random', members: [admin, ann] });
    await openFilledForm(world, me, { Title: 'Spring banner' });
    await me.close({ all: true });
    await me.command(random);
    await slack.until(() => hasField(me, 'Title'), 'the form');
    await continueForm(world, me);
    await showAllFields(world, me);
    expect(me.field('Post in').value).toMatchObject({ selected_conversation: general.id });
    await confirmed(world, me);
    expect(acme.messages(random)).toEqual([]);
  });

  it('replaces a form without losing what was typed there', async () => {
    const { world, me } = await startWorld();
    await openForm(world, me, 'Old banner');
    await fillForm(world, me, { Title: 'Old banner' });
    await reopenForm(world, me);
    await me.fill({ Title: 'New poster', Description: 'A long text about the new poster.' });
    await continueForm(world, me);
    expect(me.field('Title').value).toMatchObject({ value: 'Old banner' });
    await confirmed(world, me);
    await reopenForm(world, me);
    expect(me.sees()).toContain('unfinished request: *New poster*');
    await continueForm(world, me);
    expect(JSON.stringify(me.field('Description').value)).toContain('about the new poster');
  });
});

describe('unfinished forms', () => {
  const titlesOffered = (me: Person) =>
    [...formOf(me).matchAll(/unfinished request: \*(.*?)\*/g)].map(([, title]) => title);

  async function closeWith(world: World, me: Person, values: Record<string, string>) {
    await openForm(world, me);
    await me.fill(values);
    await me.close({ all: true });
  }

  it('are all offered for a day, however many and however many were only looked at since', async () => {
    const { world, me } = await startWorld();
    const titles = Array.from({ length: 7 }, (_, at) => `Banner ${at}`);
    for (const Title of titles) await closeWith(world, me, { Title });
    for (const typed of ['Third', 'stauts card-1001', 'new list']) {
      await openForm(world, me, typed);
      await me.close({ all: true });
    }
    await openForm(world, me);
    expect(titlesOffered(me)).toEqual(titles.toReversed());
    const home = await openHome(world, me, 'Banner 0');
    for (const title of titles) expect(JSON.stringify(home)).toContain(`*${title}*`);
    const before = me.currentView()?.hash;
    const row = /"accessibility_label":"Discard: Banner 0".*?"block_id":"(\w+)"/.exec(
      formOf(me),
    )?.[1];
    await me.click({ text: 'Continue your request', blockId: row ?? '' });
    await world.slack.until(() => me.currentView()?.hash !== before, 'the form');
    expect(me.field('Title').value).toMatchObject({ value: 'Banner 0' });
  });

  it('aren’t what the command, a card, or a request brought, unless something was typed', async () => {
    const { world, me } = await startWorld();
    const message = await requested(world, me);
    await openFormFrom(world, me, { message, text: 'Request again' });
    await showAllFields(world, me);
    await reopenForm(world, me, 'Third');
    await chooseType(world, me, 'Presentation');
    await showAllFields(world, me);
    await reopenForm(world, me);
    expect(titlesOffered(me)).toEqual([]);
    await reopenForm(world, me, 'Third');
    await me.fill({ Description: 'One line' });
    await chooseType(world, me, 'Presentation');
    await reopenForm(world, me);
    expect(titlesOffered(me)).toEqual(['Third']);
  });

  it('can be discarded, in the form, which keeps what was typed, and in Home', async () => {
    const { world, slack, me } = await startWorld();
    await closeWith(world, me, { Title: 'One' });
    await closeWith(world, me, { Title: 'Two' });
    await openForm(world, me);
    await me.fill({ Title: 'Three' });
    await me.click({ text: 'Discard' });
    await slack.until(() => titlesOffered(me).length === 1, 'the form without it');
    expect(titlesOffered(me)).toEqual(['One']);
    expect(me.field('Title').value).toMatchObject({ value: 'Three' });
    await me.fill({ Title: null });
    await me.close({ all: true });
    const home = await openHome(world, me, '*One*');
    await me.click({ view: home, text: 'Discard' });
    await slack.until(() => !JSON.stringify(me.home()).includes('*One*'), 'Home without it');
    await openForm(world, me);
    expect(titlesOffered(me)).toEqual([]);
  });

  it('are gone once the same is sent from another form, but not if they say more', async () => {
    const { world, me } = await startWorld();
    await closeWith(world, me, { Title: 'Spring banner', Description: 'A banner' });
    await closeWith(world, me, { Title: 'Spring banner', Description: 'Three\nlines\nof text' });
    await requested(world, me);
    await openForm(world, me);
    expect(titlesOffered(me)).toEqual(['Spring banner']);
    await continueForm(world, me);
    expect(JSON.stringify(me.field('Description').value)).toContain('lines');
  });
});

it('a form that was only looked at doesn’t take the place of one that was filled in, although it had a template', async () => {
  const { world, ada, me } = await startWorld();
  const template = 'What is it for?\n\nWho will see it?';
  await setPreset(world, ada, 'Preset for all channels', { 'Brief template': template });
  await ada.close({ all: true });
  await openForm(world, me);
  await me.fill({ Title: 'Spring banner' });
  await reopenForm(world, me);
  expect(JSON.stringify(me.field('Description').value)).toContain('Who will see it?');
  await reopenForm(world, me);
  expect(me.sees()).toContain('unfinished request: *Spring banner*');

  // Whatever is added to the template is kept.
  await me.fill({ Description: `${template} Everybody.` });
  await reopenForm(world, me);
  expect(me.sees()).toContain('unfinished request: *no title yet*');
});

describe('a form that the service refused', () => {
  async function sendRefused(world: World, changes = {}): Promise<void> {
    const { service, slack, me } = world;
    service.faults.add({ operation: 'createCard', times: 1, kind: 'status', status: 400 });
    await sendRequest(world, me, changes);
    await slack.until(() => hasField(me, 'Title'), 'the refused form');
  }
  const messageTo = ({ slack, acme, ann }: World) =>
    slack.until(() => acme.directMessages(ann)[0], 'the message');

  it('keeps its marks once all fields are shown, and is posted nowhere if “Post in” was empty', async () => {
    const { world, acme, general, slack, me } = await startWorld();
    await sendRefused(world, { 'Post in': null });
    await messageTo(world);
    const why = 'Change your request and send again.';
    expect(me.sees()).toContain(why);
    await showAllFields(world, me);
    expect(me.sees()).toContain(why);
    expect(me.field('Post in').value).toMatchObject({ selected_conversation: null });
    await submitUntil(world, me, 'Sent');
    await slack.idle();
    expect(acme.messages(general)).toEqual([]);
  });

  it('isn’t drawn over while its author works in it, although its message comes late', async () => {
    const { world, slack, me } = await startWorld();
    const late = { kind: 'rate_limited', retryAfter: 2 } as const;
    slack.faults.add({ method: 'chat.postMessage', times: 1, ...late });
    await sendRefused(world);
    await showAllFields(world, me);
    await me.fill({ Wording: 'Spring is here, at last.' });
    const shown = me.currentView()?.hash;
    await messageTo(world);
    await slack.idle();
    expect(me.currentView()?.hash).toBe(shown);
  });

  it('comes with what was corrected before it was closed', async () => {
    const { world, me } = await startWorld();
    await sendRefused(world);
    const message = await messageTo(world);
    await me.fill({ Title: 'Winter banner', Description: 'Everything is different now.' });
    await me.close({ all: true });
    await openFormFrom(world, me, { message, text: 'Fix and resend' });
    expect(me.field('Title').value).toMatchObject({ value: 'Winter banner' });
    expect(JSON.stringify(me.field('Description').value)).toContain('different now');
    expect(me.sees()).toContain('Change your request and send again.');
  });
});
