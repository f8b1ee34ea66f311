import { describe, expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { sentRequest } from './form.ts';
import { answerTo, untilSays } from './links.ts';
import { it, type World } from './world.ts';

/** Ann's request as the channel sees it, and its card. */
async function confirmed(world: World): Promise<{ message: Message; cardId: string }> {
  const message = await sentRequest(world, world.me, { Brand: 'Amber Bakery' });
  return { message, cardId: world.service.cards.all().at(-1)?.id ?? '' };
}

describe('the confirmation', () => {
  it('is one sentence and one line, with the same in its notification', async ({ world, ann }) => {
    const { message, cardId } = await confirmed(world);
    const [sentence, facts, ...rest] = textOfMessage(message).split('\n');
    expect(sentence).toBe(`<@${ann.id}> requested *<${world.cardUrl(cardId)}|Spring banner>*`);
    expect(facts).toMatch(
      /^:large_blue_circle: To do · Social media · Amber Bakery · DR-[0-9A-Z]{8}$/,
    );
    expect(rest).toEqual(['Open', 'Refresh', 'Watch', 'Request again']);
    expect(message.text).toBe(`<@${ann.id}> requested Spring banner · ${facts}`);
  });

  it('is updated in place by Refresh, whoever presses it', async ({ world, ann, ada }) => {
    const { message, cardId } = await confirmed(world);
    world.service.cards.update(cardId, { status: STATUSES.done });
    await ada.click({ message, text: 'Refresh' });
    await untilSays(world, message, ':large_green_circle: Done');
    expect(textOfMessage(message)).toContain(`<@${ann.id}> requested`);
    expect(message.text).toContain(':large_green_circle: Done');
  });

  it('stays as it is if its card is gone, and Refresh says so', async ({ world, service, me }) => {
    const { message } = await confirmed(world);
    service.faults.add({ operation: 'getCard', kind: 'status', status: 404 });
    const before = textOfMessage(message);
    const answer = await answerTo(world, me, { message, text: 'Refresh' });
    expect(answer.text).toContain('Couldn’t find this card any more');
    expect(textOfMessage(message)).toBe(before);
  });
});
