import type { DesignRequest } from '../../requests/request.ts';
import type { Card } from '../../service/operations/schemas.ts';
import { withAttached } from '../card/card-files.ts';
import type { SlackDeps } from '../deps.ts';
import { cardUrlOf } from '../request-form/request-messages.ts';
import { type MessageWithCard, workObjectPart } from './messages.ts';

/**
 * Adds the card of a request to its confirmation as a Work Object, if the workspace wants that. Its sentence stays above
 * it, and the last block if that says why it wasn't posted elsewhere.
 *
 * @param card undefined if it couldn't be read
 */
export async function withWorkObject(
  deps: Pick<SlackDeps, 'workObjects' | 'cardLinks' | 'now'>,
  request: DesignRequest,
  card: Card | undefined,
): Promise<(message: MessageWithCard, why?: string) => MessageWithCard> {
  const url = cardUrlOf(deps.cardLinks, request);
  if (!card || url === undefined) return (message) => message;
  const { workspaceId, form } = request;
  const names = { brandName: form.brand?.name, typeName: form.requestType.name };
  const view = {
    card: withAttached(card, form),
    url,
    detail: 'small' as const,
    ...names,
    shownAt: deps.now(),
  };
  const part = await workObjectPart(deps, { workspaceId, view, blocks: undefined });
  if (!part) return (message) => message;
  return (message, why) => {
    const blocks = [...message.blocks.slice(0, 1), ...(why ? message.blocks.slice(-1) : [])];
    return { ...message, workObject: { ...part, blocks } };
  };
}
