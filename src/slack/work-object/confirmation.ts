import type { DesignRequest } from '../../requests/request.ts';
import type { Card } from '../../service/operations/read-card.ts';
import type { SlackDeps } from '../deps.ts';
import { buildConfirmation } from '../request-form/confirmation.ts';
import { cardUrlOf } from '../request-form/request-messages.ts';
import { type MessageWithCard, workObjectPart } from './messages.ts';

/**
 * The confirmation of a request, with its card as a Work Object in place of the buttons if the workspace wants that.
 *
 * @param card undefined if it couldn't be read
 */
export async function confirmationOf(
  deps: Pick<SlackDeps, 'workObjects' | 'cardLinks' | 'now'>,
  request: DesignRequest,
  card: Card | undefined,
): Promise<(why: string | undefined) => MessageWithCard> {
  const now = deps.now();
  const { dashboardUrl } = deps.cardLinks;
  const cardUrl = cardUrlOf(deps.cardLinks, request);
  const build = (why: string | undefined) =>
    buildConfirmation({ request, card, cardUrl, dashboardUrl, now, why });
  if (!card || cardUrl === undefined) return build;
  const { workspaceId, id: confirms } = request;
  const titled = { ...card, files: [] };
  const view = { card: titled, url: cardUrl, detail: 'small' as const, confirms, shownAt: now };
  const part = await workObjectPart(deps, { workspaceId, view, blocks: undefined });
  if (!part) return build;
  return (why) => {
    const message = build(why);
    const blocks = message.blocks.filter(({ type }) => type !== 'actions');
    return { ...message, workObject: { ...part, blocks } };
  };
}
