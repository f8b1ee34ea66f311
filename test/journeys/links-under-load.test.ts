import { describe, expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { answerTo, eventsResting, NO_CARD, postShown, shown, slackCalls } from './links.ts';
import { startWorld, type World } from './world.ts';

/** A world with a clock that moves for the app and both stand-ins. */
async function worldWithClock() {
  let ahead = 0;
  const { world, me } = await startWorld({ clock: () => new Date(Date.now() + ahead) });
  return {
    ...world,
    reads: () => world.service.calls({ operation: 'getCard' }).length,
    /** Moves the clock by that many seconds, and waits for what is due by then. */
    async later(seconds: number) {
      await eventsResting(world);
      ahead += seconds * 1_000;
      await me.post(world.general, NO_CARD);
      await eventsResting(world);
    },
  };
}

function addCard({ service, cardUrl }: Pick<World, 'service' | 'cardUrl'>, title: string) {
  const { id } = service.cards.add({ title, status: STATUSES.toDo });
  return { id, url: cardUrl(id) };
}

const says = ({ slack }: Pick<World, 'slack'>, message: Message, words: string) =>
  slack.until(() => textOfMessage(message).includes(words), words);

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

  it('wait without each asking Slack', async () => {
    const { world, me, general, slack, reads, later } = await worldWithClock();
    const { url } = addCard(world, 'First');
    await postShown(world, me, url);
    slack.faults.add({ method: 'chat.unfurl', kind: 'rate_limited', retryAfter: 30, times: 1 });
    await me.post(general, url);
    await slack.until(() => slackCalls(world, 'chat.unfurl').length === 2, 'Slack’s 429');
    await eventsResting(world);
    for (let index = 0; index < 5; index += 1) await me.post(general, url);
    const { url: other } = addCard(world, 'Second');
    const before = reads();
    await me.post(general, other);
    await eventsResting(world);
    await later(20);
    // Cards are read when they can be shown, so that they are current.
    expect([slackCalls(world, 'chat.unfurl').length, reads()]).toEqual([2, before]);
  });

  it('have no composer previews, and Refresh says that Slack is busy', async () => {
    const { world, me, general, slack } = await worldWithClock();
    const { url } = addCard(world, 'First');
    const message = await postShown(world, me, url);
    slack.faults.add({ method: 'chat.unfurl', kind: 'rate_limited', retryAfter: 30, times: 1 });
    await me.post(general, url);
    await slack.until(() => slackCalls(world, 'chat.unfurl').length === 2, 'Slack’s 429');
    await eventsResting(world);
    await me.compose(general, url);
    const answer = await answerTo(world, me, { message, text: 'Refresh' });
    expect(answer.text).toContain('Slack is busy');
    await eventsResting(world);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(2);
  });
});

describe('links delayed by the service’s rate limit', () => {
  const BUSY: Fault = { operation: 'getCard', kind: 'rate-limited', retryAfter: 150, times: 1 };

  it('are shown once they can be read', async () => {
    const { world, me, general, service, reads, later } = await worldWithClock();
    const { url } = addCard(world, 'First');
    service.faults.add(BUSY);
    const message = await me.post(general, url);
    await expect.poll(reads).toBe(1);
    for (const seconds of [50, 15, 30]) await later(seconds);
    expect(message.attachments).toEqual([]);
    expect([reads(), slackCalls(world, 'chat.unfurl').length]).toEqual([1, 0]);
    await later(60);
    await says(world, message, 'To do');
    expect([reads(), slackCalls(world, 'chat.unfurl').length]).toEqual([2, 1]);
  });
});

describe('links that waited an hour because of the request budget', () => {
  /** Delivers an event as if it had happened that long ago. */
  async function deliverOld({ slack, acme, ann, general, me }: World, url: string, ms: number) {
    const { manifest } = slack.state;
    const { botEvents } = manifest;
    manifest.botEvents = [];
    const message = await me.post(general, url);
    manifest.botEvents = botEvents;
    const event = {
      ...{ type: 'link_shared', channel: general.id, user: ann.id, message_ts: message.ts },
      ...{ links: [{ url, domain: 'app.example.com' }], event_ts: message.ts },
    };
    const authorizations = [{ enterprise_id: null, team_id: acme.id, user_id: 'U', is_bot: true }];
    const event_time = Math.floor((slack.state.clock().getTime() - ms) / 1_000);
    const envelope = { type: 'event_callback', team_id: acme.id, api_app_id: slack.appId };
    const body = { ...envelope, authorizations, event_id: `Ev${message.ts}`, event_time, event };
    await slack.sendSigned(JSON.stringify(body), 'application/json');
    return message;
  }

  it('are shown all the same, since none of them was read in vain', async () => {
    const { world, reads, later } = await worldWithClock();
    const messages: Message[] = [];
    for (let index = 0; index < 70; index += 1) {
      const { url } = addCard(world, `Poster ${index}`);
      messages.push(await deliverOld(world, url, 3_700 * 1_000));
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
    const message = await deliverOld(world, url, DAY_MS - 90 * 1_000);
    await eventsResting(world);
    expect(world.acme.ephemerals(world.ann)).toEqual([]);
    for (let minute = 0; minute < 3; minute += 1) await later(61);
    const hints = () => world.acme.ephemerals(world.ann).map(({ text }) => text);
    await expect.poll(hints).toMatchObject([expect.stringContaining('took too long')]);
    expect(message.attachments).toEqual([]);
  });
});

describe('a cached card, while the service is down', () => {
  async function fiveMinutesLater() {
    const set = await worldWithClock();
    const { world, me, later, service } = set;
    const card = addCard(world, 'First');
    const before = await postShown(world, me, card.url);
    await later(300);
    const back = service.faults.add({ operation: 'getCard', kind: 'html' });
    return { ...set, ...card, before, back };
  }
  const AGE = /[Aa]s of <!date\^\d+\^\{ago\}\|\d{4}-\d\d-\d\d \d\d:\d\d UTC>/;

  it('unfurls at once with its age, and is updated when the service is back', async () => {
    const { world, me, general, url, back, later } = await fiveMinutesLater();
    const message = await me.post(general, url);
    await shown(world, message);
    expect(textOfMessage(message)).toMatch(AGE);
    back();
    await later(10);
    await world.slack.until(() => !AGE.test(textOfMessage(message)), 'the current card');
    expect(textOfMessage(message)).toContain('First');
  });

  it('is shown by the status command, with its age', async () => {
    const { world, me, id } = await fiveMinutesLater();
    const answer = await answerTo(world, me, `status ${id}`);
    expect(textOfMessage(answer)).toContain('First');
    expect(textOfMessage(answer)).toMatch(AGE);
  });

  it('is shown by Refresh with its age and a notice', async () => {
    const { world, me, before } = await fiveMinutesLater();
    const answer = await answerTo(world, me, { message: before, text: 'Refresh' });
    expect(answer.text).toContain('sent an answer that we can’t read');
    expect(answer.text).toMatch(AGE);
    await says(world, before, 'as of');
  });
});

describe('Refresh', () => {
  it('pressed again within ten seconds shows the cached card, and says so', async () => {
    const { world, me, service, slack, reads, later } = await worldWithClock();
    const { id, url } = addCard(world, 'First');
    const message = await postShown(world, me, url);
    service.cards.update(id, { title: 'Second' });
    await me.click({ message, text: 'Refresh' });
    await says(world, message, 'Second');
    service.cards.update(id, { title: 'Third' });
    const answer = await answerTo(world, me, { message, text: 'Refresh' });
    expect(answer.text).toContain('Already up to date');
    expect(textOfMessage(message)).toContain('Second');
    expect(reads()).toBe(2);
    await later(11);
    await me.click({ message, text: 'Refresh' });
    await slack.until(() => textOfMessage(message).includes('Third'), 'the change');
  });
});
