import { describe, expect, it } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { askedAbout, pressUntil } from './form.ts';
import { startWorld, type Transport, type World } from './world.ts';

const CARD = 'Card link or ID';

async function inDoubt(executed = true, transport: Transport = 'http') {
  const { world, service, me } = await startWorld({ transport });
  const drop = { kind: 'drop-after-executing' } as const;
  const fail = { kind: 'status', status: 503, executed: false } as const;
  service.faults.add({ operation: 'createCard', times: 1, ...(executed ? drop : fail) });
  const message = await askedAbout(world, me);
  return { ...world, message, cardId: service.cards.all().at(-1)?.id ?? '' };
}

/** Answers in the modal of “Found it”. */
async function giveCard({ slack }: World, me: Person, card: string) {
  await slack.until(() => hasField(me, CARD), 'the question for the card');
  await me.fill({ [CARD]: card });
  return me.submit();
}

const confirmation = ({ slack, acme, general }: World) =>
  slack.until(() => acme.messages(general)[0], 'the confirmation');
const posts = ({ service }: World) => service.calls({ operation: 'createCard' }).length;

describe('“Found it”', () => {
  it.each<Transport>(['http', 'socket'])(
    'takes the card’s link; the confirmation then links to it (%s)',
    async (transport) => {
      const { world, me, message, cardId, slack, cardUrl } = await inDoubt(true, transport);
      await me.close({ all: true });
      await me.click({ message, text: 'Found it' });
      await giveCard(world, me, cardUrl(cardId));
      await slack.until(() => me.sees().includes('won’t send it again'), 'the answer');
      expect(textOfMessage(await confirmation(world))).toContain(cardUrl(cardId));
      await slack.until(() => !textOfMessage(message).includes('Found it'), 'the updated question');
      expect(posts(world)).toBe(1);
    },
  );

  it('takes the card’s ID, on top of the modal that asks', async () => {
    const { world, me, cardId, slack } = await inDoubt();
    await slack.until(() => me.sees().includes('Found it'), 'the question in the modal');
    await me.click({ text: 'Found it' });
    await giveCard(world, me, cardId);
    await slack.until(() => me.sees().includes('won’t send it again'), 'the answer');
    await me.close();
    await slack.until(() => me.sees().includes('Sent'), 'the outcome in the first modal');
    expect(textOfMessage(await confirmation(world))).toContain(world.cardUrl(cardId));
  });

  it('asks again about a card that doesn’t mention the request', async () => {
    const { world, me, message, acme, general, service, slack, cardUrl } = await inDoubt(false);
    const other = service.cards.add({ title: 'Autumn *poster*', description: '<p>Orange</p>' });
    await me.click({ message, text: 'Found it' });
    await giveCard(world, me, cardUrl(other.id));
    await slack.until(() => me.sees().includes('doesn’t mention DR-'), 'the second question');
    expect(me.sees()).toContain('Yes, this is it');
    await slack.idle();
    expect(acme.messages(general)).toEqual([]);
    await me.submit();
    expect(textOfMessage(await confirmation(world))).toContain(cardUrl(other.id));
    expect(posts(world)).toBe(1);
  });

  it('asks about each other card again', async () => {
    const { world, me, message, acme, general, service, slack } = await inDoubt(false);
    const one = service.cards.add({ title: 'One', description: '' });
    const other = service.cards.add({ title: 'Another', description: '' });
    await me.click({ message, text: 'Found it' });
    await giveCard(world, me, one.id);
    await slack.until(() => me.sees().includes('*One*'), 'the question about one');
    await giveCard(world, me, other.id);
    await slack.until(() => me.sees().includes('*Another*'), 'the question about another');
    await slack.idle();
    expect(acme.messages(general)).toEqual([]);
  });

  it.each([
    ['another site’s link', 'https://example.org/card/1', 'card link'],
    ['text that is no ID', 'the second one', 'Paste the card’s link or ID.'],
  ])('keeps the modal open for %s', async (_what, typed, problem) => {
    const { world, me, message } = await inDoubt();
    await me.click({ message, text: 'Found it' });
    const { outcome, errors } = await giveCard(world, me, typed);
    expect(outcome).toBe('errors');
    expect(JSON.stringify(errors)).toContain(problem);
    expect(hasField(me, CARD)).toBe(true);
  });

  it('refuses a card that doesn’t exist, or is another account’s, and keeps what was typed', async () => {
    const { world, me, message, acme, general, service, slack } = await inDoubt();
    const foreign = service.cards.all().find(({ account }) => account !== 'account-1');
    await me.click({ message, text: 'Found it' });
    await giveCard(world, me, 'nothing-here');
    await slack.until(() => me.sees().includes(':warning:'), 'a refusal');
    expect(me.field(CARD).value).toMatchObject({ value: 'nothing-here' });
    await giveCard(world, me, foreign?.id ?? '');
    await slack.until(() => /API key (can’t|may not) read/.test(me.sees()), 'another refusal');
    await slack.idle();
    expect(acme.messages(general)).toEqual([]);
    expect(textOfMessage(message)).toContain('Found it');
  });

  it('decides nothing while the card can’t be read', async () => {
    const { world, me, message, cardId, service, slack } = await inDoubt();
    const heal = service.faults.add({ operation: 'getCard', kind: 'status', status: 503 });
    await me.click({ message, text: 'Found it' });
    await giveCard(world, me, cardId);
    await slack.until(
      () => me.sees().includes('can’t be reached') || me.sees().includes('We can’t reach'),
      'the reason',
    );
    heal();
    await giveCard(world, me, cardId);
    expect(textOfMessage(await confirmation(world))).toContain(world.cardUrl(cardId));
  });

  it('is for the author only, and only until it is decided', async () => {
    const { world, me, message, cardId, slack, ada } = await inDoubt();
    await pressUntil(world, ada, { message, text: 'Found it' }, 'Only ');
    const before = structuredClone(message);
    await me.click({ message, text: 'Found it' });
    await giveCard(world, me, cardId);
    await confirmation(world);
    await me.close({ all: true });
    await me.click({ message: before, text: 'Found it' });
    await slack.until(() => /already/.test(me.sees()), 'that it is decided');
  });
});
