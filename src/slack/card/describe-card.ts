import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { RequestForm } from '../../requests/request.ts';
import type { CallClass } from '../../service/budget/call-class.ts';
import { CARD_FRESH_MS, type CardReading } from '../../service/cache/card-reader.ts';
import type { Card, CardReference } from '../../service/operations/read-card.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { withAttached } from './card-files.ts';
import type { CardFacts } from './card-view.ts';

/** A number, or a long token with digits: what services use as IDs, and nobody as a name. */
const ID_NOT_NAME = /^(?:\d+|(?=\S*\d)[\w-]{16,})$/;

export type DescribeDeps = Pick<
  SlackDeps,
  'referenceLists' | 'requests' | 'watches' | 'people' | 'now'
>;

/** Whose card it is, and who waits for it. */
export type OnBehalfOf = { client: SlackClient; workspaceId: WorkspaceId; callClass: CallClass };

/** What a card's preview says besides what the service's answer contains. */
export async function describeCard(
  deps: DescribeDeps,
  reader: OnBehalfOf,
  { card, readAt }: Extract<CardReading, { card: unknown }>,
): Promise<CardFacts> {
  const { workspaceId, callClass } = reader;
  const [brandName, typeName, known] = await Promise.all([
    nameOf(card.brand, () => deps.referenceLists.brands(workspaceId, callClass)),
    typeNameOf(deps, reader, card),
    requesterAndWatch(deps, reader, card),
  ]);
  const shownAt = deps.now();
  const asOf = asOfIfOld(readAt, shownAt);
  const { form, ...requester } = known;
  const shown = withAttached(card, form);
  return { card: shown, brandName, typeName, ...requester, readAt, asOf, shownAt };
}

/** The request type's name, or else the product's. */
async function typeNameOf(
  { referenceLists }: DescribeDeps,
  { workspaceId, callClass }: OnBehalfOf,
  { requestType, productType }: Card,
): Promise<string | undefined> {
  const list = () => referenceLists.requestTypes(workspaceId, callClass);
  return (await nameOf(requestType, list)) ?? productType;
}

/**
 * The name of the person who requested a card, here or else as the service says, and whether anyone
 * watches it, and the form. Not a mention, since Slack doesn't say whether one in a preview notifies.
 */
async function requesterAndWatch(
  { requests, watches, people }: DescribeDeps,
  { client, workspaceId }: OnBehalfOf,
  { id, createdBy }: Card,
): Promise<Pick<CardFacts, 'requesterName' | 'isWatched'> & { form: RequestForm | undefined }> {
  const request = await requests.getByCard(workspaceId, id);
  const isWatched = (await watches.get({ workspaceId, cardId: id })) !== undefined;
  const person =
    request && (await people.lookUp(client, workspaceId, request.userId).catch(() => undefined));
  const isName = createdBy !== undefined && !ID_NOT_NAME.test(createdBy);
  return {
    requesterName: person?.name || (isName ? createdBy : undefined),
    isWatched,
    form: request?.form,
  };
}

/** The time of a reading that is too old to count as current; undefined for a newer one. */
export function asOfIfOld(readAt: Date, now: Date): Date | undefined {
  return now.getTime() - readAt.getTime() > CARD_FRESH_MS ? readAt : undefined;
}

/**
 * The name of what a card refers to. The API doesn't document what that contains: a lone text may be
 * a name or an ID. The service's list decides; if it can't be read, the text is shown, unless it is
 * plainly an ID.
 *
 * @param list reads the service's list
 */
async function nameOf(
  reference: CardReference | undefined,
  list: () => Promise<readonly { id: string; name: string }[]>,
): Promise<string | undefined> {
  if (!reference) return undefined;
  const { id, name } = reference;
  if (id !== undefined && name !== undefined) return name;
  const listed = (await list().catch(() => [])).find((one) => one.id === (id ?? name));
  if (listed) return listed.name;
  return name === undefined || ID_NOT_NAME.test(name) ? undefined : name;
}
