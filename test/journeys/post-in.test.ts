import { describe, expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Channel } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import {
  asked,
  confirmed,
  fillForm,
  openFilledForm,
  openForm,
  pressUntil,
  showAllFields,
} from './form.ts';
import { slackCalls } from './links.ts';
import { timedWorld } from './watching.ts';
import { it, startWorld, type World } from './world.ts';

const BY_MESSAGE = 'confirmation by direct message';
const CANNOT_POST = 'This app can’t post in that channel';

/** A private channel that the app isn't in, or one that is shared with another company. */
function closedChannel({ acme, ann, slack }: World, kind: 'private' | 'shared'): Channel {
  if (kind === 'private') return acme.addChannel({ name: 'plans', kind, members: [ann] });
  const globex = slack.addWorkspace({ name: 'Globex', installed: false });
  return acme.addChannel({ name: 'globex', members: [ann], sharedWith: [globex] });
}

describe('a form in a channel where the app can’t post', () => {
  it('says that the confirmation is a direct message', async () => {
    const { world, slack, me } = await startWorld();
    for (const kind of ['private', 'shared'] as const) {
      const channel = closedChannel(world, kind);
      await openForm(world, me, 'Spring banner', channel);
      await slack.until(() => me.sees().includes(BY_MESSAGE), `what is true of ${kind}`);
      expect(me.sees()).not.toContain('posts in');
      expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
      await me.close({ all: true });
    }
  });

  it('says so once it is open, without keeping it waiting', async ({ world, slack, me }) => {
    await openForm(world, me);
    await me.close({ all: true });
    const channel = closedChannel(world, 'private');
    slack.faults.add({ method: 'conversations.info', kind: 'stall', ms: 700, times: 1 });
    await openForm(world, me, 'Spring banner', channel);
    await me.fill({ Description: 'Typed at once.' });
    expect(me.sees()).toContain('posts in');
    await slack.until(() => me.sees().includes(BY_MESSAGE), 'what is true');
    expect(JSON.stringify(me.field('Description').value)).toContain('Typed at once.');
  });

  it('still opens if Slack doesn’t say whether it can', async ({ world, slack, me }) => {
    slack.faults.add({ method: 'conversations.info', kind: 'http', status: 503 });
    await openForm(world, me, 'Spring banner', closedChannel(world, 'private'));
    await slack.until(() => slackCalls(world, 'conversations.info')[0], 'the question');
    expect(me.sees()).toContain('posts in');
  });
});

describe('a form in a read-only channel', () => {
  it('says that the confirmation is a direct message, which says why', async () => {
    const { world, acme, ann, slack, me } = await startWorld();
    const channel = acme.addChannel({ name: 'news', members: [ann], readOnly: true });
    await openForm(world, me, 'Spring banner', channel);
    await slack.until(() => me.sees().includes(BY_MESSAGE), 'what is true');
    await fillForm(world, me);
    await me.submit();
    const confirmation = await slack.until(() => acme.directMessages(ann)[0], 'the confirmation');
    expect(textOfMessage(confirmation)).toContain('This app couldn’t post in');
  });
});

describe('a form in a channel where the app can post', () => {
  it('doesn’t promise a post for a draft, which nobody else sees', async () => {
    const { world, general, me } = await startWorld();
    const message = await asked(world, me, { Draft: ['Save as draft, don’t start work yet'] });
    await pressUntil(world, me, { message, text: 'Request again' }, BY_MESSAGE);
    expect(me.sees()).not.toContain(`posts in <#${general.id}>`);
  });
});

describe('“Post in”', () => {
  it('says before Send if the app can’t post in the chosen channel, and takes it back', async () => {
    const { world, general, slack, me } = await startWorld();
    await openFilledForm(world, me);
    await showAllFields(world, me);
    await me.fill({ 'Post in': closedChannel(world, 'private') });
    await slack.until(() => me.sees().includes(CANNOT_POST), 'what is true');
    await me.fill({ 'Post in': general });
    await slack.until(() => !me.sees().includes(CANNOT_POST), 'what is true');
    await confirmed(world, me);
  });
});

describe('a confirmation that couldn’t be posted where its author wanted', () => {
  it.each([
    [
      'private',
      /app isn’t in <#\w+>\. Invite it there with `\/invite`, and the next one is posted there\./,
    ],
    ['shared', /is shared with another company/],
  ] as const)('keeps saying why while it changes (%s)', async (kind, reason) => {
    const { world, acme, ann, service, slack, later, me, changed } = await timedWorld();
    await openForm(world, me, '', closedChannel(world, kind));
    await fillForm(world, me);
    await me.submit();
    const confirmation = await slack.until(() => acme.directMessages(ann)[0], 'the confirmation');
    expect(textOfMessage(confirmation)).toMatch(reason);
    await later(1);
    const id = service.calls({ operation: 'createCard' })[0]?.createdCardId ?? '';
    await changed(id, { status: STATUSES.inReview });
    expect(textOfMessage(confirmation)).toContain('In review');
    expect(textOfMessage(confirmation)).toMatch(reason);
    service.cards.update(id, { status: STATUSES.done });
    await me.close({ all: true });
    await me.click({ message: confirmation, text: 'Refresh' });
    await slack.until(() => textOfMessage(confirmation).includes('Done'), 'the new status');
    expect(textOfMessage(confirmation)).toMatch(reason);
  });
});
