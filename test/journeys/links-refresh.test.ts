import { describe, expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import type { FaultKind } from '../stand-ins/slack/faults.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { answerTo, finish, poster, postShown, sharedCard, slackCalls, untilSays } from './links.ts';
import { it, startWorld } from './world.ts';

it('Refresh reads the card again and updates its unfurl', async ({ world, service, me }) => {
  const { id, url } = poster(world);
  const message = await postShown(world, me, url);
  finish(world, id);
  await me.click({ message, text: 'Refresh' });
  await untilSays(world, message, 'Winter poster');
  expect(message.attachments).toMatchObject([{ color: STATUSES.done.color, from_url: url }]);
  expect(textOfMessage(message)).toContain(':large_green_circle: Done');
  expect(service.calls({ operation: 'getCard' })).toHaveLength(2);
});

describe('Refresh', () => {
  it('updates only one of several cards', async ({ world, me }) => {
    const [first, second] = [poster(world), poster(world)];
    const message = await postShown(world, me, `${first.url} ${second.url}`, { cards: 2 });
    finish(world, second.id);
    const [before, attachment] = message.attachments;
    await me.click({ message, attachment: attachment ?? {}, text: 'Refresh' });
    await untilSays(world, message, 'Winter poster');
    expect(message.attachments).toHaveLength(2);
    expect(message.attachments[0]).toEqual(before);
  });

  it('updates cards in place everywhere, without a picture that Slack can’t fetch', async () => {
    const { world, acme, ann, general, slack, me } = await startWorld();
    const { id, url } = poster(world);
    const shared = await sharedCard(world, id);
    const message = await postShown(world, me, url);
    const [ephemeral] = acme.ephemerals(ann);
    if (!ephemeral) throw new Error('there is no status reply');
    slack.brokenImages.add('*');
    finish(world, id);
    for (const [place, target] of [
      [message, { message }],
      [shared, { message: shared }],
      [ephemeral, { ephemeral }],
    ] as const) {
      await me.click({ ...target, text: 'Refresh' });
      await untilSays(world, place, 'Winter poster');
      expect(JSON.stringify([place.blocks, place.attachments])).not.toContain('image_url');
    }
    expect(acme.messages(general)).toHaveLength(2);
    expect(textOfMessage(ephemeral)).toContain('Share in this channel');
    expect(textOfMessage(shared)).not.toContain('Share in this channel');
    expect(textOfMessage(shared)).toContain(`Shared by <@${ann.id}>`);
  });

  it.each<[Fault, string]>([
    [{ kind: 'status', status: 404 }, 'Couldn’t find this card any more'],
    [{ kind: 'status', status: 503 }, 'can’t reach your design service'],
    [{ kind: 'rate-limited', retryAfter: 30 }, 'is busy'],
    [{ kind: 'html' }, 'answer that we can’t read'],
    [{ kind: 'unauthorized' }, 'no longer accepts'],
  ])('says privately what is wrong with the card or the service: %o', async (fault, words) => {
    const { world, service, ada, me } = await startWorld();
    const message = await postShown(world, me, poster(world).url);
    service.faults.add({ operation: 'getCard', ...fault });
    const answer = await answerTo(world, ada, { message, text: 'Refresh' });
    expect(answer.text).toContain(words);
    expect(textOfMessage(message)).toContain('Autumn poster');
  });

  it.each<[FaultKind, RegExp]>([
    [{ kind: 'rate_limited', retryAfter: 30 }, /Slack is busy/],
    [
      { kind: 'error', error: 'team_access_not_granted' },
      /Slack doesn’t let this app update that preview/,
    ],
  ])('explains what is wrong with Slack: %o', async (fault, words) => {
    const { world, slack, me } = await startWorld();
    const message = await postShown(world, me, poster(world).url);
    slack.faults.add({ method: 'chat.unfurl', ...fault });
    const { text } = await answerTo(world, me, { message, text: 'Refresh' });
    expect(text).toMatch(words);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(2);
  });

  it('shows a reference for an unexpected error, which is in the log too', async () => {
    const { world, slack, me, logLines } = await startWorld();
    const message = await postShown(world, me, poster(world).url);
    slack.faults.add({ method: 'chat.unfurl', kind: 'error', error: 'internal_error' });
    const { text } = await answerTo(world, me, { message, text: 'Refresh' });
    const [reference] = /E-[0-9A-Z]{6}/.exec(text) ?? ['no reference'];
    expect(logLines.join('')).toContain(reference);
  });
});
