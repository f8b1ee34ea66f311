import { describe, expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { openFormFrom, sendRequest } from './form.ts';
import { answerTo } from './links.ts';
import { it, startWorld, type World } from './world.ts';

/** Ann's request as the channel sees it, and its card. */
async function confirmed(world: World): Promise<{ message: Message; cardId: string }> {
  const { acme, ann, general, service, slack, me } = world;
  await sendRequest(world, me, { Brand: 'Amber Bakery' });
  const message = await slack.until(
    () => [...acme.messages(general), ...acme.directMessages(ann)][0],
    'the confirmation',
  );
  return { message, cardId: service.cards.all().at(-1)?.id ?? '' };
}

const change = ({ service }: World, cardId: string) =>
  service.cards.update(cardId, { status: STATUSES.done });

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

  it('is updated in place by Refresh, whoever presses it', async ({ world, ann, slack, ada }) => {
    const { message, cardId } = await confirmed(world);
    change(world, cardId);
    await ada.click({ message, text: 'Refresh' });
    await slack.until(
      () => textOfMessage(message).includes(':large_green_circle: Done'),
      'the change',
    );
    expect(textOfMessage(message)).toContain(`<@${ann.id}> requested`);
    expect(message.text).toContain(':large_green_circle: Done');
  });

  it('stays as it is if its card is gone, and Refresh says so', async () => {
    const { world, service, me } = await startWorld();
    const { message } = await confirmed(world);
    service.faults.add({ operation: 'getCard', kind: 'status', status: 404 });
    const before = textOfMessage(message);
    const answer = await answerTo(world, me, { message, text: 'Refresh' });
    expect(answer.text).toContain('Couldn’t find this card any more');
    expect(textOfMessage(message)).toBe(before);
  });

  it('opens the form again from its menu, filled with the request', async () => {
    const { world, me } = await startWorld();
    const { message } = await confirmed(world);
    if (me.currentView()) await me.close({ all: true });
    await openFormFrom(world, me, { message, text: 'Request again' });
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });
});
