import { describe, expect } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { sendRequest } from './form.ts';
import { answerTo, postShown } from './links.ts';
import { it, startWorld, type World } from './world.ts';

const LONG = '&'.repeat(6_000);

/** A card with as much as possible in every field that is shown. */
function longCard({ service, cardUrl }: World) {
  const card = service.cards.add({
    title: `Autumn poster ${LONG}`,
    description: `<p>${'&amp;"'.repeat(2_000)}</p>`,
    productType: LONG,
    dimensions: LONG,
    fileFormats: LONG,
    labels: [LONG],
    tags: [LONG],
    status: { id: 's1', name: LONG, color: '#a259ff' },
  });
  service.cards.addFile(card.id, { name: `${'p'.repeat(3_000)}.png` });
  return { id: card.id, url: `${cardUrl(card.id)}?${'x'.repeat(900)}` };
}

const refused = ({ slack }: World) =>
  slack.apiCalls.filter(
    ({ method, status, response }) =>
      status === 400 || (method.startsWith('chat.') && response?.ok === false),
  );

describe('a message that would exceed Slack’s limit', () => {
  it('is shortened if it shows a card, everywhere, or three cards', async () => {
    const { world, acme, general, slack, me } = await startWorld();
    const { id, url } = longCard(world);
    const message = await postShown(world, me, url);
    expect(textOfMessage(message)).toContain('Autumn poster');
    await me.click({ message, text: 'Refresh' });
    const shown = await answerTo(world, me, `status ${id}`);
    expect(textOfMessage(shown)).toContain('Autumn poster');
    await me.click({ ephemeral: shown, text: 'Refresh' });
    await me.click({ ephemeral: shown, text: 'Share in this channel' });
    await slack.until(() => acme.messages(general).length === 2, 'the shared card');
    const urls = [1, 2, 3].map(() => longCard(world).url);
    await postShown(world, me, urls.join(' '), { cards: 3 });
    expect(refused(world)).toEqual([]);
  });

  it('lists as many of a person’s requests as fit, and says how many don’t', async () => {
    const { world, acme, ann, service, slack, me } = await startWorld();
    service.faults.add({ operation: 'createCard', kind: 'status', status: 502 });
    for (let count = 1; count <= 10; count += 1) {
      await sendRequest(world, me, { Title: `${count} ${'"'.repeat(200)}` });
      await slack.until(() => acme.directMessages(ann).length === count, 'the note');
      await me.close({ all: true });
    }
    const listed = await answerTo(world, me, 'list');
    const text = textOfMessage(listed);
    const left = Number(/(\d+) older requests? /.exec(text)?.[1] ?? 0);
    expect(left).toBeGreaterThan(0);
    expect(text.match(/· DR-/g)?.length).toBe(10 - left);
    expect(text).toContain('10 "');
    expect(refused(world)).toEqual([]);
  });
});
