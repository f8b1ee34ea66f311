import { setTimeout } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { objectsOf } from '../stand-ins/slack/json.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { textOf } from '../stand-ins/slack/views/elements.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect, note } from './connecting.ts';
import { databaseOf } from './database-rows.ts';
import {
  confirmed,
  openFilledForm,
  openFormFrom,
  pressUntil,
  sendRequest,
  showAllFields,
  untilSees,
} from './form.ts';
import { answerTo } from './links.ts';
import { it, startWorld, type World } from './world.ts';

/** The app draws an outcome again 1.5 s later, because its acknowledgment may arrive last. */
const OUTCOME_REDRAWN_MS = 1_700;

const created = ({ service }: World) => service.calls({ operation: 'createCard', executed: true });

describe('a request that the service rejects', () => {
  it('comes back filled in, with the service’s messages at their fields', async () => {
    const { world, service, slack, me } = await startWorld();
    const social = service.referenceLists.requestTypes.find(({ id }) => id === 'type-social');
    // The form offers what is in memory, but the service's lists have changed.
    const types = [...service.referenceLists.requestTypes];
    service.referenceLists.requestTypes = types.filter((type) => type !== social);
    await sendRequest(world, me, { Wording: 'Spring is here' });
    await slack.until(() => me.sees().includes('Fix the marked fields'), 'the form again');
    expect(me.sees()).toMatch(/:warning: .*type/i);
    await showAllFields(world, me);
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(JSON.stringify(me.field('Description').value)).toContain('spring sale');
    expect(JSON.stringify(me.field('Wording').value)).toContain('Spring is here');
    expect(me.field('Software').value).toMatchObject({ selected_option: { value: 'Figma' } });
    expect(created(world)).toEqual([]);

    service.referenceLists.requestTypes = types;
    await confirmed(world, me);
    expect(created(world)).toHaveLength(1);
  });

  it('keeps what is typed at once in the fields behind More options', async () => {
    const { world, service, slack, me } = await startWorld();
    const details = { dimension: 'Name the unit.' };
    service.faults.add({
      operation: 'createCard',
      kind: 'status',
      status: 400,
      times: 1,
      details,
    });
    await sendRequest(world, me);
    await slack.until(() => me.sees().includes(details.dimension), 'the form again');
    await showAllFields(world, me);
    await me.fill({ Wording: 'Spring is here' });
    await setTimeout(OUTCOME_REDRAWN_MS);
    await confirmed(world, me);
    expect(service.cards.all().at(-1)).toMatchObject({ textCopy: '<p>Spring is here</p>' });
  });

  it('comes as a direct message if the modal is closed, with a button that opens the form filled in', async () => {
    const { world, service, me } = await startWorld();
    const types = [...service.referenceLists.requestTypes];
    service.referenceLists.requestTypes = types.filter(({ id }) => id !== 'type-social');
    service.faults.add({ operation: 'createCard', kind: 'stall', ms: 300, times: 1 });
    await sendRequest(world, me);
    await me.close({ all: true });
    const message = await note(world, 'didn’t accept it');
    expect(textOfMessage(message)).toContain('typeId');
    service.referenceLists.requestTypes = types;
    await openFormFrom(world, me, { message, text: 'Fix and resend' });
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    await confirmed(world, me);
    expect(created(world)).toHaveLength(1);
    await me.click({ message, text: 'Fix and resend' }).catch(() => undefined);
    expect(created(world)).toHaveLength(1);
  });
});

describe('a request that can’t be sent now', () => {
  it('waits if the key is gone, and is sent once a new one is connected', async () => {
    const { world, acme, admin, general, service, slack, ada, me } = await startWorld();
    await openAndRevoke(world, me);
    await slack.until(() => me.sees().includes('The API key stopped working'), 'the notice');
    await note(world, 'The API key stopped working');
    const told = await slack.until(() => acme.directMessages(admin)[0], 'a message to the admin');
    expect(textOfMessage(told)).toContain('Connect a new key');
    const calls = service.calls().length;
    await connect(world, ada, service.issueKey());
    expect(service.calls().length).toBeGreaterThan(calls);
    await slack.until(() => acme.messages(general)[0], 'the confirmation');
    await note(world, 'Request sent');
    expect(created(world)).toHaveLength(1);
  });

  it('tells its author about the missing key even if no admin can be told', async () => {
    const { world, acme, admin, slack, me } = await startWorld();
    const repair = slack.faults.add({ kind: 'hang', method: 'chat.postMessage' });
    await openAndRevoke(world, me);
    await slack.until(() => me.sees().includes('The API key stopped working'), 'the notice');
    expect(acme.directMessages(admin)).toEqual([]);
    repair();
  });

  it('waits if the key may not create cards', async ({ world, acme, service, slack, ada, me }) => {
    service.forbid(service.apiKey, { operation: 'createCard' });
    await sendRequest(world, me);
    await note(world, 'can’t create cards');
    await connect(world, ada, service.issueKey());
    await slack.until(() => acme.messages(world.general)[0], 'the confirmation');
  });
});

describe('a request that may or may not have arrived', () => {
  it.each([
    ['the connection drops', { kind: 'drop-after-executing' }, 1],
    ['the service answers 503', { kind: 'status', status: 503, executed: false }, 0],
  ] as const)(
    'is never resent automatically when %s; its author is asked',
    async (_name, fault, executed) => {
      const { world, service, me, logLines } = await startWorld();
      service.faults.add({ operation: 'createCard', times: 1, ...fault });
      await sendRequest(world, me);
      const message = await note(world, 'Did this request arrive');
      expect(created(world)).toHaveLength(executed);
      expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
      expect(textOfMessage(message)).toContain('Not there, send again');
      // An operator reads what caused it.
      const logged = logLines.find((line) => line.includes('may or may not have arrived'));
      const status = 'status' in fault ? { status: fault.status } : {};
      expect(JSON.parse(logged ?? '{}')).toMatchObject({ level: 'warn', cause: status });
      await untilSees(world, me, 'Not there, send again');
    },
  );

  async function inDoubt() {
    const { world, me } = await startWorld();
    world.service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
    await sendRequest(world, me);
    return { ...world, message: await note(world, 'Did this request arrive') };
  }

  it('says what to search for and where, and asks for confirmation before discarding', async () => {
    const { world, message } = await inDoubt();
    const [request] = world.service.cards.all().slice(-1);
    const reference = /DR-[0-9A-Z]{8}/.exec(textOfMessage(message))?.[0] ?? 'none';
    expect(request?.description).toContain(reference);
    const elements = objectsOf(message.blocks).flatMap(({ elements }) => objectsOf(elements));
    const button = (text: string) => elements.find((one) => textOf(one.text) === text);
    expect(button('Open dashboard')).toMatchObject({ url: 'https://app.example.com' });
    expect(button('Discard')).toMatchObject({
      confirm: { title: { text: 'Discard this request?' }, deny: { text: 'Keep it' } },
    });
  });

  it('is sent once on “Not there, send again”, however often it is pressed', async () => {
    const { world, me, message } = await inDoubt();
    await Promise.all([
      me.click({ message, text: 'Not there, send again' }),
      me.click({ message, text: 'Not there, send again' }),
      me.click({ message, text: 'Not there, send again' }),
    ]);
    await world.slack.until(() => world.acme.messages(world.general)[0], 'the confirmation');
    await world.slack.idle();
    expect(world.service.calls({ operation: 'createCard' })).toHaveLength(2);
    await note(world, 'Request sent');
  });

  it('is discarded on “Discard”, and the other buttons then say so', async () => {
    const { world, me, message } = await inDoubt();
    const before = structuredClone(message);
    await answerTo(world, me, { message, text: 'Discard' });
    expect(textOfMessage(await note(world, 'Discarded'))).toContain('Request again');
    const { text } = await answerTo(world, me, { message: before, text: 'Not there, send again' });
    expect(text).toContain('already decided');
    expect(world.service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('is discarded in its modal, where it can be requested again', async () => {
    const { world, me } = await inDoubt();
    await world.slack.until(() => me.sees().includes('Did this request arrive'));
    await pressUntil(world, me, { text: 'Discard' }, 'Discarded. We won’t send it.');
    await openFormFrom(world, me, { text: 'Request again' });
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(world.service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('is shown as discarded, too, if that happened before Slack said that it posted the question', async () => {
    const { world, service, slack, me } = await startWorld();
    service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    slack.faults.add({ method: 'chat.postMessage', times: 1, kind: 'held_answer', until });
    await sendRequest(world, me);
    const message = await note(world, 'Did this request arrive');
    await me.click({ message, text: 'Discard' });
    await expect.poll(() => stateAnnounced(world)).toBe('discarded');
    answer();
    await note(world, 'Discarded');
  });

  it('can only be decided by its author', async () => {
    const { world, ada, message } = await inDoubt();
    const { text } = await answerTo(world, ada, { message, text: 'Not there, send again' });
    expect(text).toContain('Only the person who made');
    expect(world.service.calls({ operation: 'createCard' })).toHaveLength(1);
  });
});

/** The state of the only request, once its author was told. */
async function stateAnnounced(world: World): Promise<string | undefined> {
  const requests = databaseOf(world).selectFrom('requests').selectAll();
  const request = await requests.executeTakeFirstOrThrow();
  return request.announcedRevision === request.revision ? request.state : undefined;
}

/** Fills in the form, then revokes the key before sending it. */
async function openAndRevoke(world: World, me: Person): Promise<void> {
  await openFilledForm(world, me);
  world.service.revokeKey(world.service.apiKey);
  await me.submit();
}
