import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { postShown, slackCalls } from './links.ts';
import { startWorld } from './world.ts';

/** A service whose card addresses have two query parameters, so that Slack has an `&` to escape. */
async function withQueryLinks() {
  const world = await startWorld({
    env: { CARD_URL_TEMPLATE: 'https://app.example.com/?view=card&id={id}' },
  });
  const { id } = world.service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
  return { ...world, id, url: `https://app.example.com/?view=card&id=${id}` };
}

const unfurlCall = z.object({ unfurls: z.string() });
const namedIn = ({ args }: { args: unknown }) =>
  Object.keys(JSON.parse(unfurlCall.parse(args).unfurls));

describe('a card link with several query parameters', () => {
  it('unfurls under the URL that Slack sent, and opens the card', async () => {
    const { world, id, url, slack, me } = await withQueryLinks();
    const message = await postShown(world, me, `See ${url}`);
    const told = slack.deliveries.filter(({ kind }) => kind === 'event');
    expect(JSON.stringify(told)).toContain(`?view=card&amp;id=${id}`);
    expect(textOfMessage(message)).toContain(
      `<https://app.example.com/?view=card&amp;id=${id}|Autumn poster>`,
    );
  });

  it('can be refreshed', async () => {
    const { world, id, url, service, slack, me } = await withQueryLinks();
    const message = await postShown(world, me, url);
    service.cards.update(id, { title: 'Winter poster' });
    await me.click({ message, text: 'Refresh' });
    await slack.until(() => textOfMessage(message).includes('Winter poster'), 'the change');
    expect(message.attachments).toHaveLength(1);
  });

  it('is previewed in the composer', async () => {
    const { general, url, slack, me } = await withQueryLinks();
    const preview = await me.compose(general, url);
    await slack.until(() => preview.attachments.length === 1, 'the preview');
  });

  it('unfurls under the URL that Slack sent even if Slack doesn’t escape it', async () => {
    const { world, general, ann, acme, url, slack, me } = await withQueryLinks();
    const message = await me.post(general, 'no link');
    const authorizations = [{ enterprise_id: null, team_id: acme.id, user_id: 'U', is_bot: true }];
    const event = {
      ...{ type: 'link_shared', channel: general.id, user: ann.id, message_ts: message.ts },
      ...{ links: [{ url, domain: 'app.example.com' }], event_ts: message.ts },
    };
    const answer = await slack.sendSigned(
      JSON.stringify({
        ...{ type: 'event_callback', team_id: acme.id, api_app_id: slack.appId, authorizations },
        ...{ event_id: 'EvPlain', event_time: Math.floor(Date.now() / 1_000), event },
      }),
      'application/json',
    );
    expect(answer).toMatchObject({ status: 200 });
    const call = await slack.until(() => slackCalls(world, 'chat.unfurl')[0], 'the unfurl');
    expect(namedIn(call)).toEqual([url]);
  });
});
