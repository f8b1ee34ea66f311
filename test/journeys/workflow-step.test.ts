import { describe, expect } from 'vitest';
import { SLACK_JOBS } from '../../src/slack/interaction/jobs.ts';
import { FORM_FIELDS } from '../../src/slack/request-form/fields.ts';
import { BUTTONS } from '../../src/slack/words/messages.ts';
import { STEP_OPTIONS_PROBLEMS } from '../../src/slack/words/workflow-step.ts';
import { STEP_FIELDS } from '../../src/slack/workflow-step/create-request.ts';
import type { JsonObject } from '../stand-ins/slack/json.ts';
import { asText } from '../stand-ins/slack/json.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect } from './connecting.ts';
import { databaseOf } from './database-rows.ts';
import { openForm } from './form.ts';
import { dueJobsHandled, eventsHandled, jobsHandled } from './links.ts';
import { ended, runStep, STEP } from './workflow-step.ts';
import { it, startWorld, type World } from './world.ts';

const posts = ({ service }: World) => service.calls({ operation: 'createCard' });

const cardOf = (world: World) => world.service.cards.get(posts(world)[0]?.createdCardId ?? '');

/** The newest direct message to Ann, once there is one. */
const noteTo = ({ acme, ann, slack }: World) =>
  slack.until(() => acme.directMessages(ann).at(-1), 'a message');

describe('the step in Workflow Builder', () => {
  it('creates a card, confirms it to its author, and gives the workflow its link', async () => {
    const { world, service, cardUrl } = await startWorld();
    const { execution } = runStep(world, { brand: 'brand-1', wording: 'Spring is here' });
    await ended(world, execution);
    const cardId = posts(world)[0]?.createdCardId ?? '';
    expect(execution).toMatchObject({
      state: 'completed',
      outputs: {
        card_id: cardId,
        card_link: cardUrl(cardId),
        reference: expect.stringMatching(/^DR-/),
      },
    });
    const card = service.cards.get(cardId);
    expect(card).toMatchObject({ title: 'Spring banner', requestTypeId: 'type-social' });
    expect(card?.description).toContain('A banner for the spring sale.');
    expect(card?.description).toContain(asText(execution.outputs.reference));
    expect(textOfMessage(await noteTo(world))).toContain('Spring banner');
  });

  it('passes on when it is needed, references, that it is a draft, and what is typed by name', async () => {
    const world = await startWorld();
    const { execution } = runStep(world, {
      request_type: 'Social media',
      formats: ' PNG,\nPNG, PDF',
      needed_by: '2999-12-10',
      references: 'example.com/moodboard\nhttps://example.com/logo',
      draft: true,
      post_in: world.general.id,
    });
    await ended(world, execution);
    const card = cardOf(world);
    const named = { requestTypeId: 'type-social', fileFormats: 'PNG, PDF' };
    expect(card).toMatchObject({ isDraft: true, ...named });
    expect(card?.description).toMatch(/Needed by Tue, 10 Dec 2999/);
    expect(card?.description).toContain('href="https://example.com/moodboard"');
    expect(card?.description).toContain('href="https://example.com/logo"');
    expect(textOfMessage(await noteTo(world))).toContain('draft');
    expect(world.acme.messages(world.general)).toEqual([]);
  });

  it('posts the confirmation in the channel that the workflow names, and suggests nothing to its author', async () => {
    const { world, acme, general, slack, me } = await startWorld();
    runStep(world, { post_in: general.id });
    const message = await slack.until(() => acme.messages(general)[0], 'the confirmation');
    expect(textOfMessage(message)).toContain('Spring banner');
    await openForm(world, me);
    expect(me.field('Request type').value).toMatchObject({ selected_option: null });
  });

  it('fails with a clear sentence for what can’t be sent, and sends nothing', async ({ world }) => {
    const rows: [string, JsonObject, RegExp][] = [
      ['nobody in “Requested by”', { requested_by: '' }, /“Requested by”/],
      ['an ID of nobody', { requested_by: 'U0NOBODY' }, /can’t use it here/],
      ['a person in “Post in”', { post_in: 'U0SOMEONE' }, /“Post in” .*isn’t a channel/],
      ['no title', { title: '  ' }, /“Title” is empty/],
      ['a title that is a number', { title: 7 }, /“Title” .*isn’t text/],
      ['a title that is too long', { title: 'x'.repeat(300) }, /“Title” .*at most 250 characters/],
      [
        'a type that isn’t offered',
        { request_type: 'type-gone' },
        /“Request type” .*no longer offers/,
      ],
      ['a brand that isn’t offered', { brand: 'brand-gone' }, /“Brand”/],
      ['a day that has passed', { needed_by: '2020-02-29' }, /“Needed by” .*today or a later day/],
      [
        'a reference that is no link',
        { references: 'example.com\nMoodboard' },
        /“Moodboard” isn’t/,
      ],
    ];
    for (const [name, changes, words] of rows) {
      const { execution } = runStep(world, changes);
      await ended(world, execution);
      expect(execution.state, name).toBe('failed');
      expect(execution.error, name).toMatch(words);
      expect(execution.error.split(/\s+/).length, name).toBeLessThanOrEqual(35);
    }
    await eventsHandled(world);
    expect(posts(world)).toEqual([]);
  });

  it('is one request, however often Slack delivers its event, at once or later', async () => {
    const { world, slack } = await startWorld();
    const { execution, delivery } = runStep(world);
    // The same run under another event ID, and the same event again.
    const copy = { ...delivery.payload, event_id: 'EvCOPY' };
    await Promise.all([
      slack.sendSigned(JSON.stringify(copy), 'application/json'),
      slack.redeliver(delivery),
    ]);
    await ended(world, execution);
    await eventsHandled(world);
    await world.restart();
    const late = { ...delivery.payload, event_id: 'EvLATE' };
    await slack.sendSigned(JSON.stringify(late), 'application/json');
    await eventsHandled(world);
    await jobsHandled(world, 'deliver-request');
    expect(posts(world)).toHaveLength(1);
    expect(execution.state).toBe('completed');
  });

  it('is not sent again when its event is repeated an hour after its author discarded it', async () => {
    let now = Date.now();
    const world = await startWorld({ clock: () => new Date(now) });
    world.service.faults.add({ operation: 'createCard', kind: 'status', status: 400, times: 1 });
    const { execution, delivery } = runStep(world);
    const message = await noteTo(world);
    expect(execution.state).toBe('running');
    await world.acme.as(world.ann).click({ message, text: BUTTONS.discard });
    await ended(world, execution);
    expect(execution).toMatchObject({ state: 'failed', error: expect.stringMatching(/discarded/) });
    now += 60 * 60_000;
    await world.restart();
    // Interactions are pruned at the start, so they don't tell that this one happened before.
    const taken = databaseOf(world).selectFrom('entries').where('kind', '=', 'interaction');
    await expect.poll(() => taken.selectAll().execute()).toEqual([]);
    const copy = { ...delivery.payload, event_id: 'EvCOPY' };
    await world.slack.sendSigned(JSON.stringify(copy), 'application/json');
    await eventsHandled(world);
    await jobsHandled(world, 'deliver-request');
    expect(posts(world)).toHaveLength(1);
  });

  it('continues once a rejected request was fixed', async ({ world, service, slack, me }) => {
    service.faults.add({ operation: 'createCard', kind: 'status', status: 400, times: 1 });
    const { execution } = runStep(world);
    const message = await noteTo(world);
    await me.click({ message, text: BUTTONS.correct });
    await slack.until(() => me.currentView()?.view.submit, 'the form');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    await me.submit();
    await ended(world, execution);
    expect(execution).toMatchObject({ state: 'completed' });
  });

  it('waits for a key, and for the answer of the author of a request in doubt', async () => {
    const { world, acme, ann, service, slack, ada, me } = await startWorld({ connected: false });
    const { execution } = runStep(world);
    await noteTo(world);
    expect(execution.state).toBe('running');
    service.faults.add({ operation: 'createCard', kind: 'drop-after-executing', times: 1 });
    await connect(world, ada, service.apiKey);
    const question = await slack.until(
      () =>
        acme
          .directMessages(ann)
          .find(({ blocks }) => JSON.stringify(blocks).includes(BUTTONS.found)),
      'the question',
    );
    expect(execution.state).toBe('running');
    await me.click({ message: question, text: BUTTONS.sendAgain });
    await ended(world, execution);
    expect(execution.state).toBe('completed');
    expect(posts(world)).toHaveLength(2);
  });

  it.each([
    ['was told, but its answer was lost', { kind: 'lost_answer' }],
    ['could not be told at first', { kind: 'http', status: 503 }],
  ] as const)('ends although Slack %s', async (_, fault) => {
    const { world, slack } = await startWorld();
    slack.faults.add({ ...fault, method: 'functions.completeSuccess', times: 1 });
    const { execution } = runStep(world);
    await ended(world, execution);
    await noteTo(world);
    expect(execution.state).toBe('completed');
    expect(posts(world)).toHaveLength(1);
  });

  it('fails after seven days in which nobody decided, and its author keeps the request', async () => {
    let now = Date.now();
    const { world, service, slack, me } = await startWorld({ clock: () => new Date(now) });
    service.faults.add({ operation: 'createCard', kind: 'status', status: 400, times: 1 });
    const { execution } = runStep(world);
    const message = await noteTo(world);
    now += 7 * 24 * 60 * 60_000 - 1;
    await world.restart();
    await dueJobsHandled(world, SLACK_JOBS.stepLimit, new Date(now));
    expect(execution.state).toBe('running');
    now += 1_000;
    await world.restart();
    await ended(world, execution);
    expect(execution.error).toMatch(
      /^The design request DR-\w+ didn’t become a card within seven days/,
    );
    await me.click({ message, text: BUTTONS.correct });
    await slack.until(() => me.currentView()?.view.submit, 'the form');
    await me.submit();
    await slack.until(() => posts(world)[1], 'the card');
  });

  it('fails with a reference if its event can’t be handled', async ({ world, slack, logLines }) => {
    const error = 'ekm_access_denied';
    slack.faults.add({ method: 'users.info', kind: 'error', error });
    const { execution } = runStep(world);
    await ended(world, execution);
    const [reference = 'none'] = /E-\w+/.exec(execution.error) ?? [];
    expect(logLines.join()).toContain(reference);
    expect(posts(world)).toEqual([]);
  });

  it('fails if its author may not make requests any more', async () => {
    const { world, ann, service, ada } = await startWorld({ connected: false });
    const { execution } = runStep(world);
    await noteTo(world);
    ann.deleted = true;
    await connect(world, ada, service.apiKey);
    await ended(world, execution);
    expect(execution).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/deactivated/),
    });
    expect(posts(world)).toEqual([]);
  });
});

describe('the menus of the step in Workflow Builder', () => {
  const list = (world: World, input: string, more: { inputs?: JsonObject; query?: string } = {}) =>
    world.acme.stepOptions({ builder: world.ann, step: STEP, input, ...more });

  it('list the service’s types, brands, and the products of the chosen type', async ({ world }) => {
    const types = await list(world, 'request_type');
    expect(types.options).toContainEqual({ text: 'Social media', value: 'type-social' });
    const brands = await list(world, 'brand');
    expect(brands.options).toHaveLength(100);
    const found = await list(world, 'brand', { query: 'amber' });
    expect(found.options.map(({ text }) => text)).toContain('Amber Bakery');
    const { products } = world.service.referenceLists.requestTypes[0] ?? {};
    const [type] = types.options;
    const offered = await list(world, 'product', { inputs: { request_type: type?.value } });
    expect(offered.options.map(({ text }) => text)).toEqual(products);
  });

  it('give each option a short text of its own and a value that the step understands', async () => {
    const { world, service, ada } = await startWorld({ connected: false });
    const long = 'A very long name '.repeat(10);
    const id = 'x'.repeat(200);
    service.referenceLists.brands = [
      { id: 'b1', name: 'Amber' },
      { id: 'b2', name: 'Amber' },
      { id, name: long },
    ];
    await connect(world, ada, service.apiKey);
    const { options } = await list(world, 'brand');
    expect(new Set(options.map(({ text }) => text)).size).toBe(3);
    const { execution } = runStep(world, { brand: options[2]?.value });
    await ended(world, execution);
    expect(cardOf(world)).toMatchObject({ brandId: id });
  });

  it('say so if the workspace isn’t connected', async () => {
    const world = await startWorld({ connected: false });
    const { options, error } = await list(world, 'brand');
    expect(options).toEqual([]);
    // Slack shows it as plain text.
    expect(error).toContain('isn’t connected');
    expect(error).toContain('connect it with /design-request connect.');
  });

  it('say so if the lists take too long, and have them the next time', async () => {
    const { world, service } = await startWorld();
    service.faults.add({ operation: 'listBrands', kind: 'stall', ms: 4_000, times: 1 });
    await world.restart();
    const late = await list(world, 'brand');
    expect(late).toEqual({ options: [], error: STEP_OPTIONS_PROBLEMS.late });
    const brands = async () => (await list(world, 'brand')).options.length;
    await expect.poll(brands, { timeout: 20_000 }).toBe(100);
  });

  it('are complete before the event is acknowledged, and once although it is repeated', async () => {
    const { world, slack } = await startWorld();
    await list(world, 'request_type');
    const delivery = slack.deliveries.at(-1);
    if (!delivery) throw new Error('Slack delivered nothing');
    const calls = () =>
      slack.apiCalls.filter(({ method }) => method === 'functions.completeSuccess').length;
    expect(calls()).toBe(1);
    await slack.redeliver(delivery);
    expect(calls()).toBe(1);
    await world.restart();
    const again = await slack.redeliver(delivery);
    expect(again.status).toBe(200);
  });
});

describe('the inputs that the manifest declares', () => {
  it('have the names of the form’s fields, and are required where those are', async ({ slack }) => {
    const { requested_by: _who, ...declared } =
      slack.state.manifest.functions[STEP]?.input_parameters ?? {};
    const fields = Object.entries(STEP_FIELDS).map(([input, name]) => {
      const { label, missing } = FORM_FIELDS.find((field) => field.name === name) ?? {};
      return [input, { title: label, ...(missing ? { is_required: true } : {}) }];
    });
    expect(declared).toMatchObject(Object.fromEntries(fields));
    expect(Object.keys(declared).toSorted()).toEqual(Object.keys(STEP_FIELDS).toSorted());
  });
});
