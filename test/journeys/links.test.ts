import { describe, expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { StoredCard } from '../stand-ins/design-service/resources.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { sendRequest } from './form.ts';
import {
  changeSettings,
  eventsHandled,
  fullCard,
  postShown,
  slackCalls,
  untilSays,
} from './links.ts';
import { it, startWorld, type World } from './world.ts';

const DUE = new Date('2090-12-01T09:30:00Z');
const UPDATED = new Date('2026-11-20T14:05:00Z');
const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `<p>Line ${index + 1}</p>`).join('');

/** A card with every field filled. */
function datedCard(world: World) {
  const createdBy = { id: 'user-1', name: 'Mia Müller' };
  const { id } = fullCard(world, { description: lines(8), createdBy, dueDate: DUE });
  return world.service.cards.update(id, { updatedAt: UPDATED });
}

/** The text of the preview of such a card. */
async function shownOf(world: World, changes: Partial<StoredCard> = {}): Promise<string> {
  const { id } = datedCard(world);
  world.service.cards.update(id, changes);
  return textOfMessage(await postShown(world, world.me, world.cardUrl(id)));
}

const imagesIn = (blocks: unknown) =>
  (blocks as { type: string; image_url?: string }[]).filter(({ type }) => type === 'image');

describe('the preview of a card link', () => {
  it('is small by default', async ({ world, me, cardUrl }) => {
    const card = datedCard(world);
    const message = await postShown(world, me, `Look: ${cardUrl(card.id)} !`);
    const [unfurl] = message.attachments;
    expect(unfurl).toMatchObject({ color: STATUSES.inReview.color });
    const text = textOfMessage(message);
    for (const fact of [
      `*<${cardUrl(card.id)}|Autumn poster>*`,
      ':large_purple_circle: In review · Social media · Amber Bakery · due 1 Dec 2090',
      'Line 1 Line 2 ',
      `Requested by Mia Müller · changed <!date^${UPDATED.getTime() / 1000}^{ago}|`,
    ]) {
      expect(text).toContain(fact);
    }
    for (const hidden of ['A2', 'Priority', 'PDF']) expect(text).not.toContain(hidden);
    expect(JSON.stringify(unfurl?.blocks)).toContain('newest.jpg?size=medium');
    expect(imagesIn(unfurl?.blocks)).toEqual([]);
  });

  it('shows the main facts and a large image if an admin prefers that', async () => {
    const { world, service, me, cardUrl } = await startWorld();
    Object.assign(service.answers, { labelsShape: 'array', tagsShape: 'array-of-objects' });
    const card = datedCard(world);
    await changeSettings(world, { 'Card links': 'Large preview' });

    const message = await postShown(world, me, `Look: ${cardUrl(card.id)} !`);
    const [unfurl] = message.attachments;
    expect(unfurl).toMatchObject({
      color: STATUSES.inReview.color,
      app_unfurl_url: cardUrl(card.id),
    });
    const text = textOfMessage(message);
    for (const fact of [
      `*<${cardUrl(card.id)}|Autumn poster>*`,
      'Line 1\nLine 2',
      '*Status*\nIn review',
      '*Request type*\nSocial media',
      '*Product*\nGraphics Video',
      '*Sizes*\nA2: 420 × 594 mm',
      '*Brand*\nAmber Bakery',
      '*Labels*\nPriority, Print',
      '*Tags*\nAutumn, Q&amp;A',
      '*File formats*\nPDF, PNG',
      '*Due*\n1 Dec 2090',
      'Requested by Mia Müller',
      `changed <!date^${UPDATED.getTime() / 1000}^{ago}|`,
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).not.toContain('Line 6');
    const [picture, ...others] = imagesIn(unfurl?.blocks);
    expect(picture?.image_url).toContain('newest.jpg');
    expect(others).toEqual([]);
    const opened = await me.click({ message, text: 'Open' });
    expect(opened).toMatchObject({ opened: cardUrl(card.id), acknowledged: true });
    expect(await me.click({ message, text: 'Refresh' })).toMatchObject({ acknowledged: true });
  });

  it('shows title and status in the composer, and costs no more calls once posted', async () => {
    const { world, general, service, slack, me, cardUrl } = await startWorld();
    const { id } = datedCard(world);

    const preview = await me.compose(general, cardUrl(id));
    const [unfurl] = await slack.until(
      () => preview.attachments.length > 0 && preview.attachments,
      'the preview',
    );
    expect(unfurl?.preview).toMatchObject({
      title: { text: 'Autumn poster' },
      subtitle: { text: 'In review' },
    });
    const words = JSON.stringify(unfurl);
    for (const hidden of ['Line 1', 'A2', 'Amber', 'Priority', '.jpg', 'button']) {
      expect(words).not.toContain(hidden);
    }
    await postShown(world, me, cardUrl(id));
    expect(service.calls({ operation: 'getCard' })).toHaveLength(1);
  });
});

it('warns at startup about hosts whose links Slack doesn’t unfurl', async () => {
  const templates = ['https://app.example.com/{id}', 'https://my_app.example.com/{id}'];
  const env = { CARD_URL_TEMPLATE: [...templates, 'http://localhost:8080/{id}'].join() };
  const { logLines } = await startWorld({ env });
  const warnings = logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
  expect(warnings).toMatchObject([{ hosts: ['my_app.example.com', 'localhost'] }]);
  expect((await startWorld()).logLines.join('')).not.toContain('CARD_URL_TEMPLATE');
});

describe('a posted card link', () => {
  it('shows due date, brand, author, and type however the service gives them', async () => {
    const { world, service } = await startWorld();
    const { answers, referenceLists } = service;
    for (const shape of ['timestamp', 'iso', 'unix-seconds', 'unix-ms', 'object'] as const) {
      answers.dueDateShape = shape;
      expect(await shownOf(world), shape).toContain('Amber Bakery · due 1 Dec 2090\n');
    }
    answers.dueDateShape = 'nonsense';
    expect(await shownOf(world)).toContain('Amber Bakery · due when it is ready\n');
    answers.dueDateShape = 'null';
    expect(await shownOf(world)).not.toContain('due');
    answers.dueDateShape = 'iso';
    for (const shape of ['number', 'null', 'string-name', 'string-id', 'object'] as const) {
      answers.brandShape = shape;
      const brand = ['number', 'null'].includes(shape) ? '' : 'Amber Bakery · ';
      expect(await shownOf(world), shape).toContain(`Social media · ${brand}due 1 Dec 2090`);
    }
    for (const shape of ['object', 'string'] as const) {
      answers.createdByShape = shape;
      expect(await shownOf(world), shape).toContain('Requested by Mia Müller');
    }
    answers.createdByShape = 'null';
    expect(await shownOf(world)).not.toContain('Requested');
    // A type that the service doesn't list has no name, so the product stands for it.
    for (const [request_type, name] of [
      [referenceLists.requestTypes[0]?.id, 'Social media'],
      ['4711', 'Graphics Video'],
    ])
      expect(await shownOf(world, { wire: { request_type } })).toContain(
        `In review · ${name} · Amber Bakery`,
      );
  });

  it('highlights that a card is overdue, unless it is finished', async ({ world, service, me }) => {
    const { id } = datedCard(world);
    service.cards.update(id, { dueDate: new Date('2020-02-03T12:00:00Z') });
    const message = await postShown(world, me, world.cardUrl(id));
    expect(textOfMessage(message)).toContain(':warning: *overdue since 3 Feb 2020*');
    service.cards.update(id, { status: STATUSES.done });
    await me.click({ message, text: 'Refresh' });
    await untilSays(world, message, ':large_green_circle: Done');
    expect(textOfMessage(message)).toContain('· due 3 Feb 2020\n');
  });

  it('shows a card with almost nothing in it', async ({ world, service, me, cardUrl }) => {
    Object.assign(service.answers, { statusShape: 'null', filesShape: 'missing' });
    const { id } = service.cards.add({
      title: '',
      wire: { created_at: 0, updated_at: null },
    });
    const message = await postShown(world, me, cardUrl(id));
    expect(textOfMessage(message)).toContain(`Card ${id}`);
    expect(message.attachments[0]).not.toHaveProperty('color');
    expect(imagesIn(message.attachments[0]?.blocks)).toEqual([]);
  });

  it.each([2, 3])('is small if there are %i, whatever admins prefer', async (count) => {
    const { world, me, cardUrl } = await startWorld();
    await changeSettings(world, { 'Card links': 'Large preview' });
    const cards = Array.from({ length: count }, () => datedCard(world));
    const text = cards.map(({ id }) => cardUrl(id)).join(' and ');
    const message = await postShown(world, me, text, { cards: count });
    const shown = textOfMessage(message);
    expect(shown.match(/\|Autumn poster>/g)).toHaveLength(count);
    expect(shown.match(/In review · Social media · Amber Bakery/g)).toHaveLength(count);
    for (const hidden of ['A2', '*File formats*']) expect(shown).not.toContain(hidden);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
  });

  it('is shown only for the first three if there are more', async ({ world, service, me }) => {
    const cards = Array.from({ length: 5 }, (_, index) =>
      service.cards.add({ title: `Poster ${index + 1}` }),
    );
    const text = cards.map(({ id }) => world.cardUrl(id)).join('\n');
    const message = await postShown(world, me, text, { cards: 3 });
    expect(message.attachments.map(({ app_unfurl_url: url }) => url)).toEqual(
      cards.slice(0, 3).map(({ id }) => world.cardUrl(id)),
    );
    await eventsHandled(world);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
    expect(service.calls({ operation: 'getCard' })).toHaveLength(3);
    const [first, second, third] = message.attachments.map((one) => JSON.stringify(one));
    expect(`${first}${second}`).not.toContain('more');
    expect(third).toContain('2 more cards in this message aren’t shown.');
    const last = message.attachments[2] ?? {};
    service.cards.update(cards[2]?.id ?? '', { title: 'Poster three' });
    await me.click({ message, attachment: last, text: 'Refresh' });
    await untilSays(world, message, 'Poster three');
    expect(textOfMessage(message)).toContain('2 more cards in this message aren’t shown.');
  });

  it('names the person in Slack who requested it here, without mentioning them', async () => {
    const { world, ann, service, slack, ada, me, cardUrl } = await startWorld();
    await sendRequest(world, me);
    await slack.until(() => slackCalls(world, 'chat.postMessage').length > 0, 'the confirmation');
    const message = await postShown(world, ada, cardUrl(service.cards.all().at(-1)?.id ?? ''));
    expect(textOfMessage(message)).toMatch(/Requested by Ann\b/i);
    expect(JSON.stringify(message.attachments)).not.toContain(ann.id);
  });

  it('is recognized with more after it, and read once for all its URLs', async () => {
    const { world, service, me, cardUrl } = await startWorld();
    const url = cardUrl(datedCard(world).id);
    await postShown(world, me, `${url} ${url}?from=mail#comments ${url}/`, { cards: 3 });
    for (const end of ['?utm=x&y=1', '#top', '/', '/?a=b#c']) {
      const message = await postShown(world, me, url + end);
      const escaped = (url + end).replaceAll('&', '&amp;');
      expect(message.attachments[0]).toMatchObject({ app_unfurl_url: escaped });
      expect(textOfMessage(message)).toContain(`<${escaped}|Autumn poster>`);
    }
    expect(service.calls({ operation: 'getCard' })).toHaveLength(1);
  });

  it('is shown in a thread, in a private channel, and in a direct message', async () => {
    const { world, acme, ann, general, slack, me, cardUrl } = await startWorld();
    const url = cardUrl(datedCard(world).id);
    const above = await me.post(general, 'A thread');
    const reply = await me.post(general, url, { threadTs: above.ts });
    await slack.until(() => reply.attachments.length === 1, 'the card in the thread');
    for (const kind of ['private', 'im', 'mpim'] as const) {
      const channel = acme.addChannel({ name: kind, kind, members: [ann] });
      await postShown(world, me, url, { channel });
    }
  });
});
