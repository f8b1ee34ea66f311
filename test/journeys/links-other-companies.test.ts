import { describe, expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import {
  ALLOW_GUESTS,
  answerTo,
  changeSettings,
  eventsHandled,
  postShown,
  postUnshown,
  privateAnswer,
  SHARE_EXTERNALLY,
  shareWithGlobex,
  slackCalls,
  untilSays,
} from './links.ts';
import { timedWorld } from './watching.ts';
import { openPane, postWorkObjects, SETTING } from './work-objects.ts';
import { it, startWorld, type World } from './world.ts';

const secretCard = ({ service, cardUrl }: World) => {
  const { id } = service.cards.add({ title: 'Secret rebrand', status: STATUSES.toDo });
  return { id, url: cardUrl(id) };
};
const cardCalls = ({ service }: World) => service.calls({ operation: 'getCard' }).length;

describe('a channel that is shared with another company', () => {
  it('shows no card, and the service isn’t called', async ({ world, acme, ann, me }) => {
    const { shared } = shareWithGlobex(world);
    shared.members.add(acme.botUserId);
    const { url } = secretCard(world);
    const hint = await privateAnswer(world, ann, () => me.post(shared, url));
    expect(hint.text).toContain('shared with another company');
    await postUnshown(world, me, url, shared);
    expect(acme.ephemerals(ann)).toHaveLength(1);
    expect(cardCalls(world)).toBe(0);
  });

  it('shows cards for the workspace’s own people once an admin allows it', async () => {
    const { world, acme, me } = await startWorld();
    const { bob, shared } = shareWithGlobex(world);
    const { url } = secretCard(world);
    await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY, ALLOW_GUESTS] });
    await postUnshown(world, acme.as(bob), url, shared);
    const preview = await acme.as(bob).compose(shared, url);
    await eventsHandled(world);
    expect(preview.attachments).toEqual([]);
    expect(cardCalls(world)).toBe(0);
    const message = await postShown(world, me, url, { channel: shared });
    expect(textOfMessage(message)).toContain('Secret rebrand');

    await changeSettings(world, { 'Guests and other companies': [] });
    await postUnshown(world, me, url, shared);
  });

  it('is read once, for the workspace that the event is for', async () => {
    const { world, acme, ann, slack, me } = await startWorld();
    const { globex, shared } = shareWithGlobex(world);
    const { url } = secretCard(world);
    await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY] });
    const message = await me.post(shared, 'no link yet');
    message.text = url;
    const event = {
      type: 'link_shared',
      channel: shared.id,
      is_bot_user_member: false,
      user: ann.id,
      message_ts: message.ts,
      event_ts: message.ts,
      source: 'conversations_history',
      links: [{ url, domain: 'app.example.com' }],
    };
    const envelope = (eventId: string, authorizedFor: string) =>
      JSON.stringify({
        type: 'event_callback',
        event_id: eventId,
        event_time: 1,
        api_app_id: slack.appId,
        team_id: globex.id,
        context_team_id: authorizedFor,
        is_ext_shared_channel: true,
        authorizations: [{ enterprise_id: null, team_id: authorizedFor, is_bot: true }],
        event,
      });
    // The app isn't installed in Globex, so an event for Globex is ignored.
    await slack.sendSigned(envelope('EvTheirs', globex.id), 'application/json');
    await slack.sendSigned(envelope('EvOurs', acme.id), 'application/json');
    await slack.until(() => message.attachments.length === 1, 'the card');
    expect(cardCalls(world)).toBe(1);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
  });
});

describe('a person from another company', () => {
  it('is denied access if Slack says nothing about them', async () => {
    const { world, acme, general, slack } = await startWorld();
    const globex = slack.addWorkspace({ name: 'Globex', installed: false });
    const unseen = globex.addUser({ name: 'Unseen' });
    general.members.add(unseen.id);
    await postUnshown(world, acme.as(unseen), secretCard(world).url);
    expect(slackCalls(world, 'users.info')).toHaveLength(1);
    expect(cardCalls(world)).toBe(0);
  });
});

it('a channel that is shared after a card was posted refuses Refresh to everyone, unless an admin allows it', async () => {
  const { world, acme, ann, service, slack, me } = await startWorld();
  const channel = acme.addChannel({ name: 'agency', members: [ann] });
  const { id, url } = secretCard(world);
  const message = await postShown(world, me, url, { channel });
  channel.sharedWith.push(slack.addWorkspace({ name: 'Globex', installed: false }).id);
  service.cards.update(id, { title: 'Even more secret' });
  const refusal = await answerTo(world, me, { message, text: 'Refresh' });
  expect(refusal.text).toContain('shared with another company');
  expect(textOfMessage(message)).toContain('Secret rebrand');

  await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY] });
  await me.click({ message, text: 'Refresh' });
  await untilSays(world, message, 'Even more secret');
});

describe.each(['im', 'private'] as const)(
  'where Slack doesn’t say that another company sees it: %s',
  (kind) => {
    /** Ann posts a link while admins allow it, and watches the card; then they forbid it, and it changes. */
    async function posted({ workObjects = false } = {}) {
      const timed = await timedWorld();
      const { world, acme, ann, service, later, me } = timed;
      const { globex, bob } = shareWithGlobex(world);
      const name = kind === 'im' ? '' : 'partners';
      const channel = acme.addChannel({ name, kind, members: [ann, bob], sharedWith: [globex] });
      const { id, url } = secretCard(world);
      await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY] });
      if (workObjects) await changeSettings(world, { [SETTING]: 'On' });
      const post = workObjects ? postWorkObjects : postShown;
      const message = await post(world, me, url, { channel });
      await me.click({ message, text: 'Watch' });
      await later(1);
      await changeSettings(world, { 'Guests and other companies': [] });
      // Otherwise what was read a moment ago is shown.
      await later(2);
      service.cards.update(id, { status: STATUSES.inReview, title: 'Even more secret' });
      return { ...timed, message };
    }

    it('shows no changes of a watched card, which its watcher still hears of, and refuses Refresh', async () => {
      const { world, acme, ann, later, message, me } = await posted();
      for (const minutes of [3, 3]) await later(minutes);
      expect(textOfMessage(message)).not.toContain('Even more secret');
      expect(acme.directMessages(ann).map(({ text }) => text)).toEqual([
        'Even more secret: To do → In review',
      ]);
      const refusal = await answerTo(world, me, { message, text: 'Refresh' });
      expect(refusal.text).toContain('shared with another company');
      expect(textOfMessage(message)).not.toContain('Even more secret');
    });

    it('refuses Refresh in a pane that was opened before', async () => {
      const { world, slack, message, service, me } = await posted({ workObjects: true });
      await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY] });
      const pane = await openPane(world, me, { message });
      await changeSettings(world, { 'Guests and other companies': [] });
      const calls = cardCalls(world);
      const presented = slackCalls(world, 'entity.presentDetails').length;
      await me.click({ pane, text: 'Refresh' });
      await slack.until(
        () => slackCalls(world, 'entity.presentDetails').length > presented,
        'the answer',
      );
      const answer = slackCalls(world, 'entity.presentDetails').at(-1);
      expect(JSON.stringify(answer?.args)).toContain('shared with another company');
      expect(service.calls({ operation: 'getCard' })).toHaveLength(calls);
    });
  },
);

it('a guest gets no unfurl unless an admin allows guests, and even then none in the composer', async () => {
  const { world, acme, general } = await startWorld();
  const gus = acme.addUser({ name: 'Gus', guest: 'multi' });
  general.members.add(gus.id);
  const { url } = secretCard(world);
  await postUnshown(world, acme.as(gus), url);
  expect(cardCalls(world)).toBe(0);

  await changeSettings(world, { 'Guests and other companies': [ALLOW_GUESTS] });
  await postShown(world, acme.as(gus), url);
  const preview = await acme.as(gus).compose(general, url);
  await eventsHandled(world);
  expect(preview.attachments).toEqual([]);
});
