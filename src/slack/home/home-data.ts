import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CardReading } from '../../service/cache/card-reader.ts';
import { asOfIfOld } from '../card/as-of.ts';
import { connectOffer } from '../connect/ask-admin.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/guard.ts';
import { readUnfinished } from '../request-form/unfinished.ts';
import type { AdminToAsk } from '../words/errors.ts';
import { type HomeProps, OPEN_MAX, RECENT_MAX, type ShownStatus } from './home-view.ts';

type DataDeps = Pick<
  SlackDeps,
  'requests' | 'watches' | 'unfinishedForms' | 'keys' | 'cards' | 'cardLinks' | 'people' | 'now'
>;

/** What someone's Home tab shows, from what is known: no call to the service, and none to Slack. */
export async function homeOf(
  deps: DataDeps,
  { workspaceId, person }: AllowedUser,
  admin: AdminToAsk,
): Promise<HomeProps> {
  const { requests, keys, cardLinks } = deps;
  const [newest, open, count, key, [unfinished]] = await Promise.all([
    requests.listByAuthor(workspaceId, person.id, RECENT_MAX),
    requests.listOpenByAuthor(workspaceId, person.id, OPEN_MAX),
    requests.countByAuthor(workspaceId, person.id),
    keys.describe(workspaceId),
    deps.unfinishedForms.of(workspaceId, person.id),
  ]);
  const isAdmin = person.role === 'admin';
  const closed = newest.filter(({ state }) => state === 'created' || state === 'discarded');
  const cardIds = closed.flatMap(({ cardId }) => cardId ?? []);
  return {
    isAdmin,
    admin,
    key,
    connectOffer: key?.state === 'active' ? undefined : connectOffer(isAdmin ? 'reader' : admin),
    unfinished: unfinished && {
      formId: unfinished.formId,
      title: readUnfinished(unfinished).draft.title,
    },
    open,
    closed,
    statuses: await knownStatuses(deps, workspaceId, cardIds),
    watched: await deps.watches.watchedBy(workspaceId, person.id, cardIds),
    older: Math.max(count - open.length - closed.length, 0),
    cardLinks,
  };
}

async function knownStatuses(
  { cards, now }: DataDeps,
  workspaceId: WorkspaceId,
  cardIds: readonly string[],
): Promise<Map<string, ShownStatus>> {
  const statuses = new Map<string, ShownStatus>();
  for (const cardId of cardIds) {
    const reading = await cards.peek(workspaceId, cardId);
    const name = statusIn(reading);
    if (reading && name) statuses.set(cardId, { name, asOf: asOfIfOld(reading.readAt, now()) });
  }
  return statuses;
}

const statusIn = (reading: CardReading | undefined) =>
  reading && 'card' in reading ? reading.card.status?.name : undefined;

/** The cards in a Home tab that weren't read lately, newest first. */
export async function staleCards(
  { cards, now }: Pick<DataDeps, 'cards' | 'now'>,
  workspaceId: WorkspaceId,
  props: HomeProps,
): Promise<string[]> {
  if ('denied' in props) return [];
  const stale: string[] = [];
  for (const { cardId } of props.closed) {
    if (cardId === undefined) continue;
    const reading = await cards.peek(workspaceId, cardId);
    if (!reading || asOfIfOld(reading.readAt, now())) stale.push(cardId);
  }
  return stale;
}
