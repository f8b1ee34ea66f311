import type { RichTextBlock } from '@slack/types';
import type { NewCard } from '../../design-api/schemas.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { Conversations } from '../conversations.ts';
import type { People } from '../people.ts';
import type { SlackClient, SlackClients } from '../slack-client.ts';
import { escapeHtml } from '../text/rich-text-inline-html.ts';
import { richTextReferences, richTextToHtml } from '../text/rich-text-to-html.ts';

/** Names that a request may ask Slack for; more mentions than that stay ids. */
const MOST_NAMES = 20;

/**
 * Makes the service's card out of a request. People and channels that the text mentions are named;
 * where Slack does not say a name, the mention stays readable without it. The request's reference is
 * the description's last line.
 */
export function createNewCardWriter(deps: {
  clients: SlackClients;
  people: People;
  conversations: Conversations;
}): (request: DesignRequest) => Promise<NewCard> {
  const { clients, people, conversations } = deps;

  async function namesIn(client: SlackClient, request: DesignRequest) {
    const { workspaceId, userId, form } = request;
    const texts = [form.description, form.textCopy].filter((text) => text !== undefined);
    const references = texts.map(richTextReferences);
    const userIds = [userId, ...references.flatMap(({ users }) => users)];
    const channelIds = references.flatMap(({ channels }) => channels);
    const users = await lookUp(userIds, async (id) => {
      return (await people.whoIs(client, workspaceId, id)).name;
    });
    const channels = await lookUp(channelIds, async (id) => {
      return (await conversations.describe(client, workspaceId, id)).name;
    });
    return {
      user: (id: string) => users.get(id),
      channel: (id: string) => channels.get(id),
      usergroup: () => undefined,
    };
  }

  return async (request) => {
    const { form, reference, userId, workspaceId } = request;
    const names = await namesIn(await clients.of(workspaceId), request);
    const html = (text: RichTextBlock) => richTextToHtml(text, names);
    const author = names.user(userId);
    const by = author === undefined ? '' : ` by ${escapeHtml(author)}`;
    return {
      title: form.title,
      description: `${html(form.description)}<p>Requested in Slack${by} · ${reference}</p>`,
      typeId: form.requestType.id,
      isDraft: form.isDraft,
      product: form.product,
      dimension: form.dimensions,
      software: form.software,
      fileFormats: form.formats.join(', '),
      ...(form.textCopy ? { textCopy: html(form.textCopy) } : {}),
      ...(form.brand ? { brandId: form.brand.id } : {}),
    };
  };
}

async function lookUp(
  ids: readonly string[],
  ask: (id: string) => Promise<string | undefined>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const wanted = [...new Set(ids)].slice(0, MOST_NAMES);
  await Promise.all(
    wanted.map(async (id) => {
      const name = await ask(id).catch(() => undefined);
      if (name) found.set(id, name);
    }),
  );
  return found;
}
