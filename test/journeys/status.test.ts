import { describe, expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { openFormFrom } from './form.ts';
import { answerTo } from './links.ts';
import { it, startWorld, type World } from './world.ts';

function poster(world: World, id?: string) {
  const card = world.service.cards.add({
    title: 'Autumn poster',
    status: STATUSES.inReview,
    brandId: 'brand-18',
    ...(id === undefined ? {} : { id }),
  });
  world.service.cards.addFile(card.id, { name: 'poster.png' });
  return { id: card.id, url: world.cardUrl(card.id) };
}

/** What only Ann sees after typing this. */
const ask = (world: World, typed: string, who = world.ann) =>
  answerTo(world, world.acme.as(who), typed);

const cardCalls = ({ service }: World) => service.calls({ operation: 'getCard' }).length;

describe('/design-request status', () => {
  it('shows a card only to the person who asks, until they share it', async () => {
    const { world, acme, ann, general, slack, me } = await startWorld();
    const { id, url } = poster(world);
    const ephemeral = await ask(world, `status ${id}`);
    const text = textOfMessage(ephemeral);
    for (const fact of [`<${url}|Autumn poster>`, 'In review', 'Amber Analytics', 'poster.png']) {
      expect(text).toContain(fact);
    }
    expect(acme.messages(general)).toEqual([]);

    await me.click({ ephemeral, text: 'Share in this channel' });
    const shared = await slack.until(() => acme.messages(general)[0], 'the shared card');
    expect(textOfMessage(shared)).toContain(`<${url}|Autumn poster>`);
    expect(textOfMessage(shared)).toContain('poster.png');
    expect(textOfMessage(shared)).toContain(`Shared by <@${ann.id}>`);
    expect(textOfMessage(shared)).not.toContain('Share in this channel');
    expect(cardCalls(world)).toBe(1);
  });

  it('accepts a link and an ID, however they are written', async ({ world }) => {
    const { id, url } = poster(world);
    const links = [url, `<${url}>`, `<${url}|${url}>`, `${url}/?utm=x#comments`];
    for (const typed of [...links, `<${id}>`, `   ${id}  `])
      expect(textOfMessage(await ask(world, `Status ${typed}`)), typed).toContain('Autumn poster');
  });

  it('accepts odd IDs', async ({ world }) => {
    for (const id of ['50%', 'a&b', 'q?x=1#y', '🎨🖌️']) {
      poster(world, id);
      expect(textOfMessage(await ask(world, `status ${id}`)), id).toContain('Autumn poster');
    }
  });

  it('shows its usage, and offers the form with what was typed', async ({ world, me }) => {
    for (const rest of ['', 'two words', '../x', 'x'.repeat(300), '<!channel> *now*']) {
      const ephemeral = await ask(world, `status ${rest}`);
      const usage = '/design-request status &lt;card ID, link, or DR-…&gt;';
      expect(textOfMessage(ephemeral), rest).toContain(usage);
      expect(textOfMessage(ephemeral)).not.toContain('<!channel>');
      expect(cardCalls(world)).toBe(0);
      await openFormFrom(world, me, { ephemeral, text: 'Request it' });
      const typed = `status ${rest}`.trim();
      const title = me.field('Title').value;
      const words = JSON.stringify([title, me.field('Description').value, me.sees()]);
      expect(words).toContain(JSON.stringify(typed).slice(1, -1));
      await me.close({ all: true });
    }
  });

  it('says what is not a card link', async ({ world }) => {
    for (const link of [
      'https://elsewhere.example/card/1',
      '<https://elsewhere.example/card/1|card>',
    ])
      expect((await ask(world, `status ${link}`)).text).toContain('isn’t a card link');
    expect(cardCalls(world)).toBe(0);
  });

  it.each<[string, Fault, string]>([
    ['doesn’t have the card', { kind: 'status', status: 404 }, 'No card with that ID'],
    ['denies access to it', { kind: 'status', status: 403 }, 'can’t read that card'],
  ])('explains that the service %s', async (_name, fault, words) => {
    const { world, service } = await startWorld();
    const { id } = poster(world);
    service.faults.add({ operation: 'getCard', ...fault });
    expect((await ask(world, `status ${id}`)).text).toContain(words);
  });

  it('shows a reference for an unexpected error, which is in the log too', async ({ world }) => {
    world.slack.faults.add({ method: 'users.info', kind: 'http', status: 500, times: 1 });
    const { text } = await ask(world, `status ${poster(world).id}`);
    const reference = /E-[0-9A-Z]{6}/.exec(text)?.[0] ?? 'none';
    expect(world.logLines.join('')).toContain(reference);
  });
});
