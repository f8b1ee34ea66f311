import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Message, User } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { databaseOf } from './database-rows.ts';
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
import { openPane } from './work-objects.ts';

describe('a card that was created here', () => {
  it('keeps its confirmation current, and all its changes are posted in the thread in one message, mentioning the author', async () => {
    const { world, service, ann, cardId, confirmation, changed } = await withRequest();
    expect(repliesTo(world, confirmation)).toEqual([]);
    service.cards.addFile(cardId, { name: 'banner.png' });
    service.cards.addFile(cardId, { name: 'story.png' });
    const dueDate = new Date('2099-12-03T09:30:00Z');
    await changed(cardId, { status: STATUSES.inReview, dueDate });
    expect(textOfMessage(confirmation)).toContain('In review');
    const [reply, ...others] = repliesTo(world, confirmation);
    expect(others).toEqual([]);
    expect(reply?.text).toBe('Spring banner: To do → In review · 2 new files · due 3 Dec 2099');
    for (const part of [`<@${ann.id}>`, 'banner.png', 'story.png']) {
      expect(JSON.stringify(reply?.blocks)).toContain(part);
    }
    await changed(cardId, { status: STATUSES.done });
    expect(repliesTo(world, confirmation).at(-1)?.text).toContain('is done: In review → Done');
  });

  it('has its confirmation changed only once there is something new', async () => {
    const { slack, later, cardId, changed } = await withRequest();
    const updates = () => slack.apiCalls.filter(({ method }) => method === 'chat.update').length;
    await later(15);
    expect(updates()).toBe(0);
    await changed(cardId, { status: STATUSES.inReview });
    expect(updates()).toBe(1);
  });

  it('is announced in a direct message, with its pictures, if it was confirmed in one', async () => {
    const { acme, ann, service, cardId, later, changed } = await withRequest({
      Draft: ['Save as draft, don’t start work yet'],
    });
    const before = acme.directMessages(ann).length;
    await changed(cardId, { status: STATUSES.toDo });
    service.cards.addFile(cardId, { name: 'banner.png' });
    await later(15);
    const told = acme.directMessages(ann).slice(before);
    expect(told.map(({ text, threadTs }) => ({ text, threadTs }))).toEqual([
      { text: 'Spring banner: Draft → To do', threadTs: undefined },
      { text: 'Spring banner: 1 new file', threadTs: undefined },
    ]);
    expect(JSON.stringify(told[1]?.blocks)).toContain('"type":"image"');
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
      kind: 'rate_limited',
      retryAfter: 60,
      times: 1,
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
  it('is kept current there and under links that are posted later, and announced once in the thread of its message, even if they press twice', async () => {
    const { world, id, message, answer, ann, cardUrl, me, ada, changed } = await previewed();
    expect(answer.text).toContain('You’re watching *');
    const again = await answerTo(world, me, { message, text: 'Watch' });
    expect(again.text).toMatch(/^You’re watching \*[^*]+\*\.$/);
    const laterLink = await postShown(world, ada, `look: ${cardUrl(id)}`);
    await changed(id, { status: STATUSES.inReview });
    for (const shown of [message, laterLink]) expect(textOfMessage(shown)).toContain('In review');
    expect(repliesTo(world, laterLink)).toEqual([]);
    const [reply, ...others] = repliesTo(world, message);
    expect(others).toEqual([]);
    expect(reply?.text).toBe('Autumn poster: To do → In review');
    expect(JSON.stringify(reply?.blocks)).toContain(`<@${ann.id}>`);
  });

  it('is announced there if Slack doesn’t list everyone in the channel', async () => {
    const { world, slack, id, message, changed } = await previewed();
    const changes = { members: [], response_metadata: { next_cursor: 'more' } };
    slack.faults.add({ method: 'conversations.members', kind: 'altered_answer', changes });
    await changed(id, { status: STATUSES.inReview });
    expect(repliesTo(world, message)).toHaveLength(1);
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

  it('is announced at once when someone else’s Refresh finds a change, and read soon again', async () => {
    const { world, service, slack, later, id, message, ada, changed } = await previewed();
    await later(QUIET_DAY);
    await later(5);
    service.cards.update(id, { status: STATUSES.inReview });
    await ada.click({ message, text: 'Refresh' });
    const reply = await slack.until(() => repliesTo(world, message)[0], 'the message');
    expect(reply.text).toBe('Autumn poster: To do → In review');
    await changed(id, { status: STATUSES.done });
    expect(repliesTo(world, message).at(-1)?.text).toContain('In review → Done');
  });
});

describe('a preview stays current after someone pressed Watch', () => {
  it.each([
    ['on the Work Object', true, false],
    ['in its pane', true, true],
    ['in a direct message', false, false],
  ])('%s', async (_where, isWorkObject, isInPane) => {
    const { world, acme, ann, admin, general, posted, later, me, changed } = await timedWorld();
    const direct = acme.addChannel({ name: '', kind: 'im', members: [ann, admin] });
    const channel = isWorkObject ? general : direct;
    const { id, message } = await posted(me, { workObjects: isWorkObject, channel });
    const on = isInPane ? { pane: await openPane(world, me, { message }) } : { message };
    await me.click({ ...on, text: 'Watch' });
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
    const { world, slack, posted, later, cardUrl, me, ada, changed } = await timedWorld();
    const { id, message: old } = await posted(ada);
    const other = await postShown(world, ada, `again: ${cardUrl(id)}`);
    await ada.click({ message: other, text: 'Watch' });
    await later(1);
    await changed(id, { status: STATUSES.done });
    expect(textOfMessage(old)).toContain('To do');
    await me.click({ message: old, text: 'Watch' });
    await slack.until(() => textOfMessage(old).includes('Done'), 'the current status');
  });
});

it('someone who left the channel is told in a direct message, and others in the thread', async () => {
  const { world, acme, ann, admin, posted, later, ada, changed } = await timedWorld();
  const members = [ann, admin];
  const channel = acme.addChannel({ name: 'studio', kind: 'private', members, botIsMember: true });
  const { id, message } = await posted(ada, { channel });
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

describe('a change that is still to be announced when someone stops', () => {
  it.each([
    ['is not announced to them, and directly to those who watched in the same thread', false],
    ['is announced directly even while Slack can’t say who sees the others’ thread', true],
  ])('%s', async (_what, hasOthers) => {
    const { world, acme, ann, admin, slack, posted, later, me, ada, changed } = await timedWorld();
    const { id, message } = await posted(ada);
    for (const who of [me, ada]) await answerTo(world, who, { message, text: 'Watch' });
    await later(1);
    await changed(id, { status: STATUSES.inProgress });
    const [reply] = repliesTo(world, message);
    // Slack limits how fast messages are posted.
    const limited = { kind: 'rate_limited', retryAfter: 60, times: 1 } as const;
    slack.faults.add({ method: 'chat.postMessage', ...limited });
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
    const { world, acme, ann, general, slack, posted, later, me, ada } = await timedWorld();
    const { id, message } = await posted(ada);
    await ada.click({ message, text: 'Watch' });
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

  it('is kept current if someone watched it before', async () => {
    const { world, id, message, changed } = await sharedCard({ isWatched: true });
    await changed(id, { status: STATUSES.inReview });
    expect(textOfMessage(message)).toContain('In review');
    expect(repliesTo(world, message)).toEqual([]);
  });
});

const muted = (where: 'here' | 'everywhere') => ({
  'Changes to watched cards': [
    `Turn off messages about changes ${where === 'here' ? 'in this channel' : where}`,
  ],
});

describe('where it can’t be posted, whoever presses Watch', () => {
  it.each([
    ['in a muted channel', 'muted'],
    ['in a private channel that the app is not in', 'private'],
  ])('%s hears that they get a direct message, and gets it', async (_where, kind) => {
    const { world, acme, ann, general, posted, later, me, changed } = await timedWorld();
    if (kind === 'muted') await changeSettings(world, muted('here'));
    const hidden = acme.addChannel({ name: 'design', kind: 'private', members: [ann] });
    const { id, message } = await posted(me, { channel: kind === 'muted' ? general : hidden });
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
  it('everywhere', async () => {
    const { world, acme, ann, later, cardId, confirmation, changed } = await withRequest();
    await changeSettings(world, muted('everywhere'));
    await changed(cardId, { status: STATUSES.done });
    await later(3);
    expect(repliesTo(world, confirmation)).toEqual([]);
    expect(acme.directMessages(ann)).toEqual([]);
    expect(textOfMessage(confirmation)).toContain('Done');
  });

  it('in a channel only for a while has people told directly until changes are posted in its threads again', async () => {
    const { world, acme, ann, cardId, confirmation, changed } = await withRequest();
    await changeSettings(world, muted('here'));
    await changed(cardId, { status: STATUSES.inReview }, 3, 3);
    expect(repliesTo(world, confirmation)).toEqual([]);
    expect(acme.directMessages(ann)).toHaveLength(1);
    expect(textOfMessage(confirmation)).toContain('In review');
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
    const { world, acme, ann, posted, later, me, changed } = await timedWorld();
    const { shared } = shareWithGlobex(world);
    await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY] });
    const { id, message } = await posted(me, { channel: shared });
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
