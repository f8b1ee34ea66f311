import { describe, expect } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { postShown } from './links.ts';
import { repliesTo, withRequest } from './watching.ts';
import { it, startWorld } from './world.ts';

describe('a card’s files', () => {
  it('are links in the message that says they are new, with a hint once where feedback belongs', async () => {
    const { world, cardId, confirmation, later, service } = await withRequest();
    for (const name of ['poster-v1.pdf', 'poster-v2.pdf']) {
      service.cards.addFile(cardId, { name });
      await later(30);
    }
    const replies = repliesTo(world, confirmation);
    const [file] = service.cards.all().find(({ id }) => id === cardId)?.files ?? [];
    expect(JSON.stringify(replies[0]?.blocks)).toContain(
      `New file: <${file?.urls.full}|poster-v1.pdf>`,
    );
    const hint = 'Replies here don’t reach the designer. Give feedback on the card.';
    const hints = replies.map((reply) => textOfMessage(reply).includes(hint));
    expect(hints).toEqual([true, false]);
  });

  it('are never pictured by the reference that its request attached', async () => {
    const { world, service, me, cardUrl } = await startWorld();
    const { id } = service.cards.add({ title: 'Poster' });
    service.cards.addFile(id, { name: 'teaser.mp4' });
    service.cards.addFile(id, { name: 'competitor-shot.jpg', type: 'reference' });
    const message = await postShown(world, me, cardUrl(id));
    expect(JSON.stringify(message.attachments)).not.toContain('competitor-shot.jpg');
    expect(textOfMessage(message)).toContain('1 file: ');
    expect(textOfMessage(message)).toContain('teaser.mp4');
  });
});
