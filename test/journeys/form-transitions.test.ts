import { describe, expect, it } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { databaseOf } from './database-rows.ts';
import {
  openForm,
  reopenForm,
  requested,
  sendAgain,
  showAllFields,
  submitUntil,
  untilSees,
} from './form.ts';
import { startWorld, type World } from './world.ts';

/** What belongs to the second request type, and isn't suggested for it. */
const FIELDS = { Sizes: '16:9', Product: 'Graphics', Software: 'Keynote', 'File formats': ['KEY'] };

/** Someone who has requested a design before, so that a new form hides what it is filled with. */
async function startWithEarlierRequest(): Promise<World> {
  const { world, me } = await startWorld();
  await requested(world, me);
  return world;
}

const storedForms = (world: World) =>
  databaseOf(world)
    .selectFrom('entries')
    .select('value')
    .where('kind', '=', 'unfinished_form')
    .execute();

/** As if it had expired or had never been stored: the process was killed after the form was drawn. */
async function deleteStored(world: World): Promise<void> {
  await databaseOf(world).deleteFrom('entries').where('kind', '=', 'unfinished_form').execute();
}

async function fillMissing(me: Person): Promise<void> {
  for (const [label, value] of Object.entries(FIELDS)) {
    const isEmpty =
      hasField(me, label) && !/"(value|text)":"[^"]/.test(JSON.stringify(me.field(label).value));
    if (isEmpty) await me.fill({ [label]: value });
  }
}

/** Does what redraws the form. @param isDrawn false if the process is killed before that */
async function redraw(world: World, act: () => Promise<unknown>, isDrawn = true): Promise<void> {
  const before = world.me.currentView()?.hash;
  await act();
  if (isDrawn) await world.slack.until(() => world.me.currentView()?.hash !== before, 'the form');
}

type Step = (world: World, me: Person, isDrawn: boolean) => Promise<void>;

/** What happens to a form until it is sent. */
const STEPS: Record<string, Step> = {
  async 'is opened'(world, me) {
    await openForm(world, me, 'Sales deck');
    await me.fill({ Description: 'Slides for the sales team.' });
  },
  async 'gets another request type'(world, me, isDrawn) {
    await redraw(world, () => me.fill({ 'Request type': 'Presentation' }), isDrawn);
  },
  async 'shows all fields'(world, me, isDrawn) {
    if (!me.sees().includes('More options')) return;
    await redraw(world, () => me.click({ text: 'More options' }), isDrawn);
  },
  async 'is closed and continued'(world, me) {
    await fillMissing(me);
    await reopenForm(world, me);
    await redraw(world, () => me.click({ text: 'Continue your request' }));
  },
  async 'is refused'(world, me) {
    const { service, slack } = world;
    const heal = service.faults.add({ operation: 'createCard', kind: 'status', status: 400 });
    await sendUntil(world, me, () => me.sees().includes('send again. Nothing is lost'));
    heal();
    await slack.idle();
  },
  async 'is fixed and sent'(world, me) {
    await sendUntil(world, me, () => me.sees().includes('Sent'));
  },
};

/** Presses Send, and again if the form comes back with what to check. */
async function sendUntil(world: World, me: Person, isDone: () => boolean): Promise<void> {
  for (let pressed = 0; pressed < 3 && !isDone(); pressed += 1) {
    await fillMissing(me);
    const { outcome } = await me.submit();
    const comesBack = () => hasField(me, 'Title') && !me.sees().includes('Sending');
    if (outcome === 'updated') await world.slack.until(() => isDone() || comesBack(), 'what comes');
  }
  await world.slack.until(isDone, 'the outcome');
}

const NAMES = Object.keys(STEPS);

/** Takes all steps. @param at where something goes wrong */
async function walk(world: World, at?: { step: string; wrong: 'gone' | 'not drawn' }) {
  const { service, slack, me } = world;
  for (const [name, step] of Object.entries(STEPS)) {
    const isHere = at?.step === name;
    const isDrawn = !(isHere && at.wrong === 'not drawn');
    const failing = isDrawn
      ? undefined
      : slack.faults.add({ method: 'views.update', kind: 'error', error: 'internal_error' });
    await step(world, me, isDrawn);
    await slack.idle();
    if (isHere && at.wrong === 'gone') await deleteStored(world);
    failing?.();
    if (!isDrawn) await world.restart({ listsKept: true });
  }
  const created = service.cards.all().filter(({ title }) => title === 'Sales deck');
  expect(created).toEqual([
    expect.objectContaining({
      requestTypeId: 'type-presentation',
      dimensions: '16:9',
      fileFormats: 'KEY',
      software: 'Keynote',
      productType: 'Graphics',
      description: expect.stringContaining('Slides for the sales team.'),
    }),
  ]);
  await expect.poll(() => storedForms(world)).toEqual([]);
}

describe('a form on its way until it is sent', () => {
  it('is stored until then, and says everything that was typed', async () => {
    await walk(await startWithEarlierRequest());
  });

  it.each(NAMES.slice(0, -1))(
    'loses nothing that was typed if nothing is stored any more once it %s',
    async (step) => {
      await walk(await startWithEarlierRequest(), { step, wrong: 'gone' });
    },
  );

  it.each(NAMES.slice(1, 3))(
    'loses nothing that was typed if the process is killed when it %s, after that was stored and before it was drawn',
    async (step) => {
      await walk(await startWithEarlierRequest(), { step, wrong: 'not drawn' });
    },
  );
});

describe('a form of which nothing is stored', () => {
  it('isn’t sent without what it said, but shows all fields first', async () => {
    const { world, acme, general, service, me } = await startWithEarlierRequest();
    await openForm(world, me, 'Sales poster');
    await me.fill({ Description: 'For the fair.' });
    expect(me.sees()).toMatch(/Set for you: Post: 1080 × 1080 px/);
    await deleteStored(world);
    await me.submit();
    expect(me.sees()).toContain('We no longer have what was set for you.');
    expect(service.cards.all().map(({ title }) => title)).not.toContain('Sales poster');
    expect(JSON.stringify(me.field('Description').value)).toContain('For the fair.');
    expect(me.field('Sizes').value).toMatchObject({
      value: expect.stringContaining('1080 × 1080'),
    });
    expect(me.field('Post in').value).toMatchObject({ selected_conversation: null });
    await submitUntil(world, me, 'Sent');
    expect(service.cards.all().at(-1)).toMatchObject({ title: 'Sales poster', software: 'Figma' });
    expect(acme.messages(general)).toHaveLength(1);
  });

  it('is sent as it is if it shows everything', async () => {
    const { world, me } = await startWithEarlierRequest();
    await openForm(world, me, 'Sales poster');
    await me.fill({ Description: 'For the fair.' });
    await showAllFields(world, me);
    await deleteStored(world);
    await submitUntil(world, me, 'Sent');
  });
});

it('a form that hides fields is one request if it is sent twice', async () => {
  const { world, service, me } = await startWithEarlierRequest();
  await openForm(world, me, 'Sales poster');
  await me.fill({ Description: 'For the fair.' });
  await me.submit();
  expect((await sendAgain(world)).body).toContain('Sending…');
  await untilSees(world, me, 'Sent');
  expect(service.cards.all().filter(({ title }) => title === 'Sales poster')).toHaveLength(1);
});

it('a form that hides what belongs to another request type comes back before it is sent', async () => {
  const { world, me } = await startWithEarlierRequest();
  await openForm(world, me, 'Sales poster');
  await me.fill({ Description: 'For the fair.' });
  const [stored] = await storedForms(world);
  const value = stored?.value.replace('type-social', 'type-print') ?? '';
  await databaseOf(world)
    .updateTable('entries')
    .set({ value })
    .where('kind', '=', 'unfinished_form')
    .execute();
  await me.submit();
  expect(me.sees()).toContain('You changed the request type.');
});

it('a form that was only looked at isn’t stored once it is closed', async () => {
  const { world, me } = await startWithEarlierRequest();
  await openForm(world, me, 'Sales poster');
  expect(await storedForms(world)).toHaveLength(1);
  await me.close({ all: true });
  await expect.poll(() => storedForms(world)).toEqual([]);
});
