import type { DesignRequest } from '../../requests/request.ts';
import type { Card } from '../../service/operations/schemas.ts';
import { withAttached } from '../card/card-files.ts';
import type { SlackDeps } from '../deps.ts';
import { buildConfirmation } from '../request-form/confirmation.ts';
import { cardUrlOf } from '../request-form/request-messages.ts';
import { type MessageWithCard, workObjectPart } from './messages.ts';

/**
 * The confirmation of a request, with its card as a Work Object if the workspace wants that. Its sentence stays above
 * it, and the last block if that says why it wasn't posted elsewhere.
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
  const { workspaceId, form } = request;
  const names = { brandName: form.brand?.name, typeName: form.requestType.name };
  const view = {
    card: withAttached(card, form),
    url: cardUrl,
    detail: 'small' as const,
    ...names,
    shownAt: now,
  };
  const part = await workObjectPart(deps, { workspaceId, view, blocks: undefined });
  if (!part) return build;
  return (why) => {
    const message = build(why);
    const blocks = [...message.blocks.slice(0, 1), ...(why ? message.blocks.slice(-1) : [])];
    return { ...message, workObject: { ...part, blocks } };
  };
}
