import { describe, expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { deliverLink, postShown, slackCalls, untilSays } from './links.ts';
import { startWorld } from './world.ts';

/** A service whose card addresses have two query parameters, so that Slack has an `&` to escape. */
async function withQueryLinks() {
  const world = await startWorld({
    env: { CARD_URL_TEMPLATE: 'https://app.example.com/?view=card&id={id}' },
  });
  const { id } = world.service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
  return { ...world, id, url: `https://app.example.com/?view=card&id=${id}` };
}

describe('a card link with several query parameters', () => {
  it('is previewed, unfurls under the URL that Slack sent, opens the card, and can be refreshed', async () => {
    const { world, general, id, url, service, slack, me } = await withQueryLinks();
    const preview = await me.compose(general, url);
    await slack.until(() => preview.attachments.length === 1, 'the preview');
    const message = await postShown(world, me, `See ${url}`);
    const told = slack.deliveries.filter(({ kind }) => kind === 'event');
    expect(JSON.stringify(told)).toContain(`?view=card&amp;id=${id}`);
    expect(textOfMessage(message)).toContain(
      `<https://app.example.com/?view=card&amp;id=${id}|Autumn poster>`,
    );
    service.cards.update(id, { title: 'Winter poster' });
    await me.click({ message, text: 'Refresh' });
    await untilSays(world, message, 'Winter poster');
    expect(message.attachments).toHaveLength(1);
  });

  it('unfurls under the URL that Slack sent even if Slack doesn’t escape it', async () => {
    const { world, url, slack } = await withQueryLinks();
    await deliverLink(world, url);
    const call = await slack.until(() => slackCalls(world, 'chat.unfurl')[0], 'the unfurl');
    expect(Object.keys(JSON.parse(String(call.args.unfurls)))).toEqual([url]);
  });
});
