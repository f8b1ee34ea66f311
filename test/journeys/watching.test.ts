import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { FaultKind } from '../stand-ins/slack/faults.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { Channel, Message, Pane, User } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { databaseOf } from './database-rows.ts';
import { askedAbout, sentRequest } from './form.ts';
import {
  answerTo,
  changeSettings,
  eventsResting,
  postShown,
  SHARE_EXTERNALLY,
  shareWithGlobex,
} from './links.ts';
import {
  A_MOMENT,
  A_SECOND,
  previewed,
  QUIET_DAY,
  repliesTo,
  sharedCard,
  timedWorld,
  withRequest,
} from './watching.ts';
import { openPane, postWorkObjects, SETTING } from './work-objects.ts';
import type { World } from './world.ts';

describe('a card that was created here', () => {
  it('keeps its confirmation current, and its changes are posted in the thread, mentioning the author', async () => {
    const { world, service, ann, cardId, confirmation, changed } = await withRequest();
    expect(repliesTo(world, confirmation)).toEqual([]);
    service.cards.addFile(cardId, { name: 'banner.png' });
    await changed(cardId, { status: STATUSES.inReview });
    expect(textOfMessage(confirmation)).toContain('In review');
    const [reply, ...others] = repliesTo(world, confirmation);
    expect(others).toEqual([]);
    expect(reply?.text).toBe('Spring banner: To do → In review · 1 new file');
    expect(JSON.stringify(reply?.blocks)).toContain(`<@${ann.id}>`);
    expect(JSON.stringify(reply?.blocks)).toContain('banner.png');
    await changed(cardId, { status: STATUSES.done });
    expect(repliesTo(world, confirmation).at(-1)?.text).toContain('is done: In review → Done');
  });

  it('keeps what its confirmation says, although someone pressed Watch in its pane', async () => {
    const { world, service, later, me, ada, changed } = await timedWorld();
    await changeSettings(world, { [SETTING]: 'On' });
    const message = await sentRequest(world, me);
    const pane = await openPane(world, ada, { message });
    await ada.click({ pane, text: 'Watch' });
    await later(1);
    const id = service.calls({ operation: 'createCard' })[0]?.createdCardId ?? '';
    await changed(id, { status: STATUSES.inReview });
    expect(message.entities).toHaveLength(1);
    expect(message.text).toMatch(/requested Spring banner.*In review/);
  });

  it('is announced in a direct message if it was confirmed in one', async () => {
    const { acme, ann, cardId, changed } = await withRequest({
      Draft: ['Save as draft, don’t start work yet'],
    });
    const before = acme.directMessages(ann).length;
    await changed(cardId, { status: STATUSES.toDo });
    const told = acme.directMessages(ann).slice(before);
    expect(told.map(({ text, threadTs }) => ({ text, threadTs }))).toEqual([
      { text: 'Spring banner: Draft → To do', threadTs: undefined },
    ]);
  });

  it('still says why its confirmation is in a direct message', async () => {
    const { world, acme, ann, service, later, me, changed } = await timedWorld();
    const design = acme.addChannel({ name: 'design', kind: 'private', members: [ann] });
    const confirmation = await askedAbout(world, me, { 'Post in': design });
    await later(1);
    const id = service.calls({ operation: 'createCard' })[0]?.createdCardId ?? '';
    await changed(id, { status: STATUSES.done });
    expect(textOfMessage(confirmation)).toContain('Done');
    expect(textOfMessage(confirmation)).toContain(`This app isn’t in <#${design.id}>. Invite it`);
  });

  it('is kept current under links even if its confirmation was deleted', async () => {
    const { world, cardUrl, slack, cardId, ada, changed } = await withRequest();
    const preview = await postShown(world, ada, cardUrl(cardId));
    slack.faults.add({ kind: 'error', error: 'message_not_found', method: 'chat.update' });
    await changed(cardId, { status: STATUSES.done });
    expect(JSON.stringify(preview.attachments)).toContain('Done');
  });

  it('is shown after Slack and then the service could not be reached', async () => {
    const { world, slack, service, later, cardId, confirmation, changed } = await withRequest();
    const restore = slack.faults.add({ kind: 'http', status: 500, method: 'chat.update' });
    await changed(cardId, { status: STATUSES.done });
    expect(textOfMessage(confirmation)).not.toContain('Done');
    // What was read is forgotten.
    await world.restart();
    restore();
    const outage = service.faults.add({ kind: 'status', status: 503 });
    await later(5);
    outage();
    for (const minutes of [3, 3, 3]) await later(minutes);
    expect(textOfMessage(confirmation)).toContain('Done');
  });

  it('is announced without pictures if Slack can’t fetch them', async () => {
    const { world, slack, service, later, cardId, confirmation } = await withRequest();
    slack.brokenImages.add('*');
    service.cards.addFile(cardId, { name: 'banner.png' });
    await later(3);
    const [reply] = repliesTo(world, confirmation);
    expect(reply?.text).toBe('Spring banner: 1 new file');
    expect(JSON.stringify(reply?.blocks)).not.toContain('"image"');
  });

  it('stays a Work Object if Slack can’t fetch a picture that a designer adds', async () => {
    const { slack, service, cardId, confirmation, changed } = await withRequest(
      {},
      { workObjects: true },
    );
    slack.brokenImages.add('*');
    service.cards.addFile(cardId, { name: 'banner.png' });
    await changed(cardId, { status: STATUSES.inReview });
    expect(confirmation.entities).toHaveLength(1);
    expect(textOfMessage(confirmation)).toContain('In review');
    expect(JSON.stringify(confirmation.entities)).not.toContain('banner.png');
  });

  it('is announced with its pictures in a direct message, too', async () => {
    const { service, acme, ann, later, cardId } = await withRequest({
      Draft: ['Save as draft, don’t start work yet'],
    });
    service.cards.addFile(cardId, { name: 'banner.png' });
    await later(3);
    const told = acme.directMessages(ann).at(-1);
    expect(told?.text).toBe('Spring banner: 1 new file');
    expect(JSON.stringify(told?.blocks)).toContain('"type":"image"');
  });

  it('is announced in direct messages from then on if Slack refuses to post in the thread', async () => {
    const { world, slack, acme, ann, cardId, confirmation, changed } = await withRequest();
    const refused = { kind: 'error', error: 'restricted_action', times: 1 } as const;
    slack.faults.add({ ...refused, method: 'chat.postMessage' });
    await changed(cardId, { status: STATUSES.inReview }, 3, 1);
    await changed(cardId, { status: STATUSES.revision }, 3, 1);
    expect(repliesTo(world, confirmation)).toEqual([]);
    expect(acme.directMessages(ann).map(({ text }) => text)).toEqual([
      'Spring banner: To do → In review',
      'Spring banner: In review → Revision',
    ]);
  });

  it('is announced without its title when it could not be read for an hour', async () => {
    const { world, slack, service, later, cardId, confirmation, changed } = await withRequest();
    slack.faults.add({
      ...{ kind: 'rate_limited', retryAfter: 60, times: 1 },
      method: 'chat.postMessage',
    });
    await changed(cardId, { status: STATUSES.done });
    // What was read is forgotten.
    await world.restart();
    service.faults.add({ kind: 'status', status: 503 });
    await later(30);
    expect(repliesTo(world, confirmation)).toEqual([]);
    await later(40);
    const [reply, ...others] = repliesTo(world, confirmation);
    expect(reply?.text).toContain(`Card ${cardId} is done: To do → Done`);
    expect(others).toEqual([]);
  });

  it('is announced over a restart, and once if the outcome of posting is unknown twice', async () => {
    const { world, slack, service, later, cardId, confirmation } = await withRequest();
    await world.restart();
    slack.faults.add({ kind: 'lost_answer', method: 'chat.postMessage', times: 2 });
    service.cards.update(cardId, { status: STATUSES.done });
    // After a restart, what people need is read first.
    for (const minutes of [3, 3, 1, 5]) await later(minutes);
    expect(repliesTo(world, confirmation)).toHaveLength(2);
  });

  it('is not announced after its author stopped, but its confirmation stays current', async () => {
    const { world, cardId, confirmation, me, changed } = await withRequest();
    await changed(cardId, { status: STATUSES.inProgress });
    const [reply] = repliesTo(world, confirmation);
    const answer = await answerTo(world, me, { message: reply as Message, text: 'Stop watching' });
    expect(answer.text).toContain('Stopped');
    await changed(cardId, { status: STATUSES.done });
    expect(repliesTo(world, confirmation)).toHaveLength(1);
    expect(textOfMessage(confirmation)).toContain('Done');
  });

  it('is not announced to someone who was deactivated', async () => {
    const { world, acme, ann, cardId, confirmation, changed } = await withRequest();
    ann.deleted = true;
    // Otherwise Slack's last answer counts for two minutes.
    await world.restart();
    await changed(cardId, { status: STATUSES.done }, 3, 3);
    expect(repliesTo(world, confirmation)).toEqual([]);
    expect(acme.directMessages(ann)).toEqual([]);
  });
});

describe('a card that someone watches from its preview', () => {
  it('is kept current there, and announced in the thread of the message', async () => {
    const { world, id, message, answer, ann, changed } = await previewed();
    expect(answer.text).toContain('You’re watching *');
    await changed(id, { status: STATUSES.inReview });
    expect(JSON.stringify(message.attachments)).toContain('In review');
    const [reply] = repliesTo(world, message);
    expect(reply?.text).toBe('Autumn poster: To do → In review');
    expect(JSON.stringify(reply?.blocks)).toContain(`<@${ann.id}>`);
  });

  it.each<FaultKind>([
    {
      kind: 'altered_answer',
      changes: { members: [], response_metadata: { next_cursor: 'more' } },
    },
    { kind: 'error', error: 'fetch_members_failed' },
  ])('is announced there if Slack doesn’t list everyone in the channel: %o', async (fault) => {
    const { world, slack, id, message, changed } = await previewed();
    slack.faults.add({ method: 'conversations.members', ...fault });
    await changed(id, { status: STATUSES.inReview });
    expect(repliesTo(world, message)).toHaveLength(1);
  });

  it('is kept current under links that are posted later, but announced only where someone watches', async () => {
    const { world, general, id, cardUrl, ada, changed } = await previewed();
    const other = await postShown(world, ada, `look: ${cardUrl(id)}`, {
      channel: general,
    });
    await changed(id, { status: STATUSES.done });
    expect(JSON.stringify(other.attachments)).toContain('Done');
    expect(repliesTo(world, other)).toEqual([]);
  });

  it('is current under a link that was posted while another process noticed a change', async () => {
    const { world, service, later, id, cardUrl, noticedElsewhere, ada } = await previewed();
    service.cards.update(id, { status: STATUSES.inReview });
    await noticedElsewhere(id);
    const message = await postShown(world, ada, `look: ${cardUrl(id)}`);
    for (const minutes of [0, A_SECOND]) await later(minutes);
    expect(textOfMessage(message)).toContain('In review');
  });

  it('is current there although another process noticed a later change while it was drawn', async () => {
    const { world, service, slack, id, message, move, wake, later, noticedElsewhere, me } =
      await previewed();
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    slack.faults.add({ method: 'chat.unfurl', times: 1, kind: 'held_answer', until });
    service.cards.update(id, { status: STATUSES.inReview });
    move(A_MOMENT);
    const status = await answerTo(world, me, `status ${id}`);
    move(A_MOMENT);
    await me.click({ ephemeral: status, text: 'Refresh' });
    await slack.until(() => repliesTo(world, message)[0], 'the message');
    move(A_SECOND);
    await wake();
    await slack.until(() => textOfMessage(message).includes('In review'), 'the change');
    service.cards.update(id, { status: STATUSES.done });
    await noticedElsewhere(id);
    service.faults.add({ kind: 'rate-limited', retryAfter: 30, operation: 'getCard', times: 1 });
    answer();
    for (const minutes of [0, A_SECOND, 1]) await later(minutes);
    expect(textOfMessage(message)).toContain('Done');
  });

  it('is drawn again there once Slack takes previews again, as are links posted meanwhile', async () => {
    const watched = await previewed();
    const { world, general, service, slack, cardUrl, id, message, me, ada } = watched;
    const { exactly, later, move } = watched;
    slack.faults.add({ kind: 'rate_limited', method: 'chat.unfurl', retryAfter: 120, times: 1 });
    const posted: Message[] = [];
    for (const other of ['card-1001', 'card-1002', 'card-1003']) {
      posted.push(await ada.post(general, cardUrl(other)));
      await eventsResting(world);
    }
    const shown = () => posted.map(({ attachments }) => attachments.length);
    await exactly(1);
    service.cards.update(id, { status: STATUSES.inReview });
    // The card may have been read at the moment before.
    move(A_MOMENT);
    const status = await answerTo(world, me, `status ${id}`);
    await me.click({ ephemeral: status, text: 'Refresh' });
    await slack.until(() => repliesTo(world, message)[0], 'the message');
    expect(shown()).toEqual([0, 0, 0]);
    expect(textOfMessage(message)).toContain('To do');
    await later(2);
    expect(shown()).toEqual([1, 1, 1]);
    expect(textOfMessage(message)).toContain('In review');
  });

  it('is announced at once when someone else presses Refresh', async () => {
    const { world, service, slack, id, message, ada } = await previewed();
    service.cards.update(id, { status: STATUSES.inReview });
    await ada.click({ message, text: 'Refresh' });
    await slack.until(() => repliesTo(world, message)[0], 'the message');
    expect(repliesTo(world, message)[0]?.text).toBe('Autumn poster: To do → In review');
  });

  it('is read soon again after someone’s Refresh found a change', async () => {
    const { world, service, slack, later, id, message, ada, changed } = await previewed();
    await later(QUIET_DAY);
    await later(5);
    service.cards.update(id, { status: STATUSES.inReview });
    await ada.click({ message, text: 'Refresh' });
    await slack.until(() => repliesTo(world, message)[0], 'the message');
    await changed(id, { status: STATUSES.done });
    expect(repliesTo(world, message).at(-1)?.text).toContain('In review → Done');
  });

  it('answers a second press, and is watched once', async () => {
    const { world, id, message, me, changed } = await previewed();
    const again = await answerTo(world, me, { message, text: 'Watch' });
    expect(again.text).toMatch(/^You’re watching \*[^*]+\*\.$/);
    await changed(id, { status: STATUSES.done });
    expect(repliesTo(world, message)).toHaveLength(1);
  });
});

describe('a preview stays current after someone pressed Watch', () => {
  type Press = (world: World, message: Message) => Promise<unknown>;
  const rows: [string, boolean, Press][] = [
    ['on the Work Object', true, ({ me }, message) => clickWatch(me, { message })],
    [
      'in its pane',
      true,
      async (world, message) => {
        const { me } = world;
        await clickWatch(me, { pane: await openPane(world, me, { message }) });
      },
    ],
    ['in a direct message', false, ({ me }, message) => clickWatch(me, { message })],
  ];
  const clickWatch = (me: Person, on: { message: Message } | { pane: Pane }) =>
    me.click({ ...on, text: 'Watch' });

  const betweenTwo = (acme: World['acme'], members: World['ann'][]) =>
    acme.addChannel({ name: '', kind: 'im', members });

  it.each(rows)('%s', async (_where, isWorkObject, press) => {
    const { world, acme, ann, admin, general, service, later, cardUrl, me, changed } =
      await timedWorld();
    const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
    if (isWorkObject) await changeSettings(world, { [SETTING]: 'On' });
    const message = isWorkObject
      ? await postWorkObjects(world, me, cardUrl(id))
      : await postShown(world, me, cardUrl(id), { channel: betweenTwo(acme, [ann, admin]) });
    await press(world, message);
    // In a message, a modal, or a direct message.
    const isAnswered = () =>
      [...acme.ephemerals(ann), ...acme.directMessages(ann)].length > 0 ||
      me.sees().includes('You’re watching');
    await world.slack.until(isAnswered, 'the answer');
    await later(1);
    await changed(id, { status: STATUSES.inReview });
    expect(textOfMessage(message)).toContain('In review');
    expect(repliesTo(world, message, general)).toHaveLength(isWorkObject ? 1 : 0);
    const directly = acme.directMessages(ann).filter(({ text }) => text.includes('In review'));
    expect(directly).toHaveLength(isWorkObject ? 0 : 1);
  });

  it('although the card was watched before, and had changed by then', async () => {
    const { world, service, slack, later, cardUrl, me, ada, changed } = await timedWorld();
    const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
    const [old, other] = [
      await postShown(world, ada, cardUrl(id)),
      await postShown(world, ada, `again: ${cardUrl(id)}`),
    ];
    await ada.click({ message: other, text: 'Watch' });
    await later(1);
    await changed(id, { status: STATUSES.done });
    expect(textOfMessage(old)).toContain('To do');
    await me.click({ message: old, text: 'Watch' });
    await slack.until(() => textOfMessage(old).includes('Done'), 'the current status');
  });
});

it('someone who left the channel is told in a direct message, and others in the thread', async () => {
  const { world, acme, ann, admin, service, later, cardUrl, ada, changed } = await timedWorld();
  const members = [ann, admin];
  const channel = acme.addChannel({ name: 'studio', kind: 'private', members, botIsMember: true });
  const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
  const message = await postShown(world, ada, cardUrl(id), { channel });
  for (const who of members) await acme.as(who).click({ message, text: 'Watch' });
  await later(1);
  channel.members.delete(ann.id);
  await changed(id, { status: STATUSES.done }, 3, 1);
  const [reply] = repliesTo(world, message, channel);
  expect(JSON.stringify(reply?.blocks).match(/<@\w+>/g)).toEqual([`<@${admin.id}>`]);
  expect(acme.directMessages(ann).map(({ text }) => text)).toEqual([
    expect.stringContaining('is done'),
  ]);
  channel.members.delete(admin.id);
  await changed(id, { status: STATUSES.revision }, 3, 1);
  expect(repliesTo(world, message, channel)).toEqual([reply]);
});

it('someone who pressed Watch by mistake can stop at once', async () => {
  const { world, acme, ann, service, later, cardUrl, me, ada, changed } = await timedWorld();
  const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
  const message = await postShown(world, ada, cardUrl(id));
  const click = (on: Parameters<Person['click']>[0]) => answerTo(world, me, on);
  const watching = await click({ message, text: 'Watch' });
  const stopped = await click({ ephemeral: watching, text: 'Stop watching' });
  expect(stopped.text).toContain('Stopped');
  await later(1);
  await changed(id, { status: STATUSES.done });
  expect(repliesTo(world, message)).toEqual([]);
  expect(acme.directMessages(ann)).toEqual([]);
});

describe('a change that is still to be announced when someone stops', () => {
  it.each([
    ['is not announced to them, and directly to those who watched in the same thread', false],
    ['is announced directly even while Slack can’t say who sees the others’ thread', true],
  ])('%s', async (_what, hasOthers) => {
    const { world, acme, ann, admin, service, slack, later, cardUrl, me, ada, changed } =
      await timedWorld();
    const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
    const message = await postShown(world, ada, cardUrl(id));
    for (const who of [ann, admin]) {
      await answerTo(world, acme.as(who), { message, text: 'Watch' });
    }
    await later(1);
    await changed(id, { status: STATUSES.inProgress });
    const [reply] = repliesTo(world, message);
    // Slack limits how fast messages are posted.
    slack.faults.add({
      kind: 'rate_limited',
      method: 'chat.postMessage',
      retryAfter: 60,
      times: 1,
    });
    await changed(id, { status: STATUSES.inReview });
    await answerTo(world, me, { message: reply as Message, text: 'Stop watching' });
    if (hasOthers) {
      await answerTo(world, me, { message, text: 'Watch' });
      slack.faults.add({ method: 'conversations.members', kind: 'http', status: 503 });
    }
    await later(2);
    expect(repliesTo(world, message)).toHaveLength(1);
    const told = (who: User) => acme.directMessages(who).map(({ text }) => text);
    expect([told(ann), told(admin)]).toEqual([[], ['Autumn poster: In progress → In review']]);
  });
});

describe('a card that someone shared', () => {
  it('is kept current once someone watches it there, and still says who shared it', async () => {
    const { world, ann, later, id, message, ada, changed } = await sharedCard();
    await ada.click({ message, text: 'Watch' });
    await later(1);
    await changed(id, { status: STATUSES.inReview });
    expect(textOfMessage(message)).toContain('In review');
    expect(JSON.stringify(message.blocks)).toContain(`Shared by <@${ann.id}>`);
    expect(repliesTo(world, message)).toHaveLength(1);
  });

  it('is shared without an error even if the database can’t remember the message', async () => {
    const { world, acme, ann, general, service, slack, cardUrl, later, me, ada } =
      await timedWorld();
    const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
    const preview = await postShown(world, ada, cardUrl(id));
    await ada.click({ message: preview, text: 'Watch' });
    const ephemeral = await answerTo(world, me, `status ${id}`);
    await sql`CREATE TRIGGER fault BEFORE INSERT ON entries WHEN new.kind = 'card_message'
      BEGIN SELECT RAISE(ABORT, 'no room'); END`.execute(databaseOf(world));
    const before = acme.ephemerals(ann).length;
    await me.click({ ephemeral, text: 'Share in this channel' });
    await slack.until(
      () => acme.messages(general).find((one) => textOfMessage(one).includes('Shared by')),
      'the shared card',
    );
    for (const minutes of [1, 1, 1]) await later(minutes);
    expect(acme.ephemerals(ann)).toHaveLength(before);
  });

  it('is kept current as a Work Object if someone presses Watch in its pane', async () => {
    const { world, later, id, message, ada, changed } = await sharedCard({
      workObjects: true,
    });
    const pane = await openPane(world, ada, { message });
    await ada.click({ pane, text: 'Watch' });
    await later(1);
    const { blocks } = structuredClone(message);
    await changed(id, { status: STATUSES.inReview });
    expect(JSON.stringify(message.entities)).toContain('In review');
    expect(message.blocks).toEqual(blocks);
  });

  it('is kept current if someone watched it before', async () => {
    const { world, id, message, changed } = await sharedCard({ isWatched: true });
    await changed(id, { status: STATUSES.inReview });
    expect(textOfMessage(message)).toContain('In review');
    expect(repliesTo(world, message)).toEqual([]);
  });
});

describe('where it can’t be posted, whoever presses Watch', () => {
  type Place = (world: World) => Promise<Channel> | Channel;
  const rows: [string, Place][] = [
    [
      'in a muted channel',
      async (world) => {
        await changeSettings(world, {
          'Changes to watched cards': ['Turn off messages about changes in this channel'],
        });
        return world.general;
      },
    ],
    [
      'in a private channel that the app is not in',
      ({ acme, ann }) => acme.addChannel({ name: 'design', kind: 'private', members: [ann] }),
    ],
  ];

  it.each(rows)('%s hears that they get a direct message, and gets it', async (_where, place) => {
    const { world, acme, ann, service, later, cardUrl, me, changed } = await timedWorld();
    const channel = await place(world);
    const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
    const message = await postShown(world, me, cardUrl(id), { channel });
    const answer = await answerTo(world, me, { message, text: 'Watch' });
    expect(answer.text).toContain('We’ll message you');
    await later(1);
    await changed(id, { status: STATUSES.inReview });
    expect(acme.directMessages(ann).map(({ text }) => text)).toEqual([
      'Autumn poster: To do → In review',
    ]);
    expect(textOfMessage(message)).toContain('In review');
  });
});

describe('an admin who mutes changes', () => {
  it.each([
    ['everywhere', 'Turn off messages about changes everywhere', 0],
    [
      'in a channel, so that they are told directly',
      'Turn off messages about changes in this channel',
      1,
    ],
  ])('%s', async (_where, muted, directly) => {
    const { world, acme, ann, later, cardId, confirmation, changed } = await withRequest();
    await changeSettings(world, { 'Changes to watched cards': [muted] });
    await changed(cardId, { status: STATUSES.done });
    await later(3);
    expect(repliesTo(world, confirmation)).toEqual([]);
    expect(acme.directMessages(ann)).toHaveLength(directly);
    expect(textOfMessage(confirmation)).toContain('Done');
  });

  it('in a channel only for a while has changes posted in its threads again afterwards', async () => {
    const { world, acme, ann, cardId, confirmation, changed } = await withRequest();
    await changeSettings(world, {
      'Changes to watched cards': ['Turn off messages about changes in this channel'],
    });
    await changed(cardId, { status: STATUSES.inReview });
    expect(repliesTo(world, confirmation)).toEqual([]);
    expect(acme.directMessages(ann)).toHaveLength(1);
    await changeSettings(world, { 'Changes to watched cards': [] });
    await changed(cardId, { status: STATUSES.done }, 5);
    expect(repliesTo(world, confirmation)).toHaveLength(1);
    expect(acme.directMessages(ann)).toHaveLength(1);
  });
});

describe('a channel that is shared with another company', () => {
  it.each([
    ['is announced in a direct message', [], 0, 1],
    ['is announced there if an admin allows it', [SHARE_EXTERNALLY], 1, 0],
  ])('%s', async (_what, settings, inThread, directly) => {
    const { world, acme, ann, service, later, cardUrl, me, changed } = await timedWorld();
    const { shared } = shareWithGlobex(world);
    const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
    const sharing = { 'Guests and other companies': [SHARE_EXTERNALLY] };
    await changeSettings(world, sharing);
    const message = await postShown(world, me, cardUrl(id), { channel: shared });
    await me.click({ message, text: 'Watch' });
    await later(1);
    await changeSettings(world, { 'Guests and other companies': settings });
    await changed(id, { status: STATUSES.done });
    await later(3);
    expect(repliesTo(world, message, shared)).toHaveLength(inThread);
    expect(acme.directMessages(ann)).toHaveLength(directly);
    expect(JSON.stringify(message.attachments).includes('Done')).toBe(inThread === 1);
  });

  it('after it was confirmed there, doesn’t show the other company how far the card is', async () => {
    const timed = await withRequest();
    const { world, acme, ann, slack, general, later, cardId, confirmation, changed } = timed;
    const globex = slack.addWorkspace({ name: 'Globex', installed: false });
    general.sharedWith.push(globex.id);
    // Otherwise Slack's last answer counts for a minute.
    await world.restart();
    await changed(cardId, { status: STATUSES.done });
    await later(3);
    expect(textOfMessage(confirmation)).toContain('To do');
    expect(acme.directMessages(ann).map(({ text }) => text)).toEqual([
      expect.stringContaining('is done'),
    ]);
  });
});
