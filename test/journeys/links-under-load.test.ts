import { describe, expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import {
  answerTo,
  deliverLink,
  eventsResting,
  NO_CARD,
  postShown,
  shown,
  slackCalls,
  untilSays,
} from './links.ts';
import { type World, worldAhead } from './world.ts';

async function worldWithClock() {
  const ahead = await worldAhead();
  const { world, pass, service, general, me } = ahead;
  return {
    ...ahead,
    reads: () => service.calls({ operation: 'getCard' }).length,
    /** Moves the clock by that many seconds, and waits for what is due by then. */
    async later(seconds: number) {
      await eventsResting(world);
      pass(seconds * 1_000);
      await me.post(general, NO_CARD);
      await eventsResting(world);
    },
  };
}

function addCard({ service, cardUrl }: Pick<World, 'service' | 'cardUrl'>, title: string) {
  const { id } = service.cards.add({ title, status: STATUSES.toDo });
  return { id, url: cardUrl(id) };
}

describe('links delayed by Slack’s rate limit', () => {
  it('are all unfurled, and each card is read once for all of them', async () => {
    const { world, me, general, slack, reads, later } = await worldWithClock();
    const [first, second] = [addCard(world, 'First'), addCard(world, 'Second')];
    slack.faults.limit('chat.unfurl', 2);
    const messages: Message[] = [];
    for (let index = 0; index < 8; index += 1) {
      messages.push(await me.post(general, index % 2 === 0 ? first.url : second.url));
      // Deliveries can overtake each other.
      await slack.idle();
      if (index < 2) await shown(world, messages[index] as Message);
    }
    for (let step = 0; step < 140; step += 1) await later(2.5);
    await Promise.all(messages.map((message) => shown(world, message)));

    expect(reads()).toBe(2);
    expect(textOfMessage(messages[7] as Message)).toMatch(/as of <!date\^\d+\^\{ago\}\|/);
    expect(textOfMessage(messages[1] as Message)).not.toContain('as of');
  });

  it('wait without each asking Slack, have no previews, and Refresh says that Slack is busy', async () => {
    const { world, me, general, slack, reads, later } = await worldWithClock();
    const { url } = addCard(world, 'First');
    const message = await postShown(world, me, url);
    slack.faults.add({ method: 'chat.unfurl', kind: 'rate_limited', retryAfter: 30, times: 1 });
    await me.post(general, url);
    await slack.until(() => slackCalls(world, 'chat.unfurl').length === 2, 'Slack’s 429');
    await eventsResting(world);
    for (let index = 0; index < 5; index += 1) await me.post(general, url);
    const { url: other } = addCard(world, 'Second');
    const before = reads();
    await me.post(general, other);
    await me.compose(general, url);
    await eventsResting(world);
    await later(20);
    // Cards are read when they can be shown, so that they are current.
    expect([slackCalls(world, 'chat.unfurl').length, reads()]).toEqual([2, before]);
    const answer = await answerTo(world, me, { message, text: 'Refresh' });
    expect(answer.text).toContain('Slack is busy');
    await eventsResting(world);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(2);
  });
});

describe('links that waited an hour because of the request budget', () => {
  it('are shown all the same, since none of them was read in vain', async () => {
    const { world, reads, later } = await worldWithClock();
    const messages: Message[] = [];
    for (let index = 0; index < 70; index += 1) {
      const { url } = addCard(world, `Poster ${index}`);
      messages.push(await deliverLink(world, url, 3_700 * 1_000));
    }
    await eventsResting(world);
    expect(reads()).toBeLessThan(60);
    for (let minute = 0; minute < 3; minute += 1) await later(61);
    await expect
      .poll(() => messages.filter((one) => textOfMessage(one).includes('Poster')).length)
      .toBe(70);
    expect(world.acme.ephemerals(world.ann)).toEqual([]);
    expect(reads()).toBe(70);
  });

  it('are given up once they could wait for a day', async () => {
    const { world, later } = await worldWithClock();
    const { url } = addCard(world, 'First');
    world.general.members.add(world.acme.botUserId);
    world.service.faults.add({ operation: 'getCard', kind: 'rate-limited', retryAfter: 60 });
    const DAY_MS = 24 * 60 * 60 * 1_000;
    const message = await deliverLink(world, url, DAY_MS - 90 * 1_000);
    await eventsResting(world);
    expect(world.acme.ephemerals(world.ann)).toEqual([]);
    for (let minute = 0; minute < 3; minute += 1) await later(61);
    const hints = () => world.acme.ephemerals(world.ann).map(({ text }) => text);
    await expect.poll(hints).toMatchObject([expect.stringContaining('took too long')]);
    expect(message.attachments).toEqual([]);
  });
});

it('a cached card is shown everywhere with its age while the service is down, and updated when that is back', async () => {
  const { world, me, service, slack, later } = await worldWithClock();
  const { id, url } = addCard(world, 'First');
  const before = await postShown(world, me, url);
  await later(300);
  const back = service.faults.add({ operation: 'getCard', kind: 'html' });
  const AGE = /[Aa]s of <!date\^\d+\^\{ago\}\|\d{4}-\d\d-\d\d \d\d:\d\d UTC>/;
  const message = await postShown(world, me, url);
  expect(textOfMessage(message)).toMatch(AGE);
  const status = textOfMessage(await answerTo(world, me, `status ${id}`));
  expect(status).toContain('First');
  expect(status).toMatch(AGE);
  const answer = await answerTo(world, me, { message: before, text: 'Refresh' });
  expect(answer.text).toContain('sent an answer that we can’t read');
  expect(answer.text).toMatch(AGE);
  await untilSays(world, before, 'as of');

  back();
  await later(10);
  await slack.until(() => !AGE.test(textOfMessage(message)), 'the current card');
  expect(textOfMessage(message)).toContain('First');
});

it('Refresh pressed again within ten seconds shows the cached card, and says so', async () => {
  const { world, me, service, reads, later } = await worldWithClock();
  const { id, url } = addCard(world, 'First');
  const message = await postShown(world, me, url);
  service.cards.update(id, { title: 'Second' });
  await me.click({ message, text: 'Refresh' });
  await untilSays(world, message, 'Second');
  service.cards.update(id, { title: 'Third' });
  const answer = await answerTo(world, me, { message, text: 'Refresh' });
  expect(answer.text).toContain('Already up to date');
  expect(textOfMessage(message)).toContain('Second');
  expect(reads()).toBe(2);
  await later(11);
  await me.click({ message, text: 'Refresh' });
  await untilSays(world, message, 'Third');
});
