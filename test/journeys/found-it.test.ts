import { describe, expect, it } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { askedAbout, pressUntil, untilSees } from './form.ts';
import { startWorld, type World } from './world.ts';

const CARD = 'Card link or ID';

async function inDoubt(executed = true) {
  const { world, service, me } = await startWorld();
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
  it('takes the card’s link; the confirmation then links to it', async () => {
    const { world, me, message, cardId, slack, cardUrl } = await inDoubt();
    await me.close({ all: true });
    await me.click({ message, text: 'Found it' });
    await giveCard(world, me, cardUrl(cardId));
    await untilSees(world, me, 'won’t send it again');
    expect(textOfMessage(await confirmation(world))).toContain(cardUrl(cardId));
    await slack.until(() => !textOfMessage(message).includes('Found it'), 'the updated question');
    expect(posts(world)).toBe(1);
  });

  it('takes the card’s ID, on top of the modal that asks', async () => {
    const { world, me, cardId } = await inDoubt();
    await untilSees(world, me, 'Found it');
    await me.click({ text: 'Found it' });
    await giveCard(world, me, cardId);
    await untilSees(world, me, 'won’t send it again');
    await me.close();
    await untilSees(world, me, 'Sent');
    expect(textOfMessage(await confirmation(world))).toContain(world.cardUrl(cardId));
  });

  it('asks again about each card that doesn’t mention the request', async () => {
    const { world, me, message, acme, general, service, slack, cardUrl } = await inDoubt(false);
    const one = service.cards.add({ title: 'One', description: '' });
    const other = service.cards.add({ title: 'Autumn *poster*', description: '<p>Orange</p>' });
    await me.click({ message, text: 'Found it' });
    await giveCard(world, me, one.id);
    await untilSees(world, me, '*One*');
    await giveCard(world, me, cardUrl(other.id));
    await untilSees(world, me, 'Autumn');
    expect(me.sees()).toContain('doesn’t mention DR-');
    expect(me.sees()).toContain('Yes, this is it');
    await slack.idle();
    expect(acme.messages(general)).toEqual([]);
    await me.submit();
    expect(textOfMessage(await confirmation(world))).toContain(cardUrl(other.id));
    expect(posts(world)).toBe(1);
  });

  it('keeps its question open, with what was typed, until a card fits', async () => {
    const { world, me, message, cardId, acme, general, service, slack } = await inDoubt();
    await me.click({ message, text: 'Found it' });
    for (const [typed, problem] of [
      ['https://example.org/card/1', 'card link'],
      ['the second one', 'Paste the card’s link or ID.'],
    ] as const) {
      const { outcome, errors } = await giveCard(world, me, typed);
      expect(outcome).toBe('errors');
      expect(JSON.stringify(errors)).toContain(problem);
    }
    await giveCard(world, me, 'nothing-here');
    await untilSees(world, me, ':warning:');
    expect(me.field(CARD).value).toMatchObject({ value: 'nothing-here' });
    const foreign = service.cards.all().find(({ account }) => account !== 'account-1');
    await giveCard(world, me, foreign?.id ?? '');
    await slack.until(() => /API key (can’t|may not) read/.test(me.sees()), 'another refusal');
    const heal = service.faults.add({ operation: 'getCard', kind: 'status', status: 503 });
    await giveCard(world, me, cardId);
    await slack.until(() => /can’t be reached|We can’t reach/.test(me.sees()), 'the reason');
    await slack.idle();
    expect(acme.messages(general)).toEqual([]);
    expect(textOfMessage(message)).toContain('Found it');
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
