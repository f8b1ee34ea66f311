import { CARD_FRESH_MS, type CardDemand } from '../../cards/card-reader.ts';
import { DesignApiError } from '../../design-api/errors.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { SlackDeps } from '../deps.ts';
import { asOfIfOld } from './as-of.ts';
import { brandNameOf } from './brand-name.ts';
import type { CardDetail, CardView } from './card-view.ts';
import type { CardLink } from './unfurl-content.ts';

type ReadDeps = Pick<SlackDeps, 'cards' | 'catalogue' | 'now' | 'log'>;

/** A posted link whose card can't be read for now is tried again for this long. */
const TRIED_FOR_MS = 60 * 60_000;
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * Reads the cards of a message's links. Those that this workspace can't read are left out.
 *
 * @param input.postedAt when the links were posted; undefined where they are shown now or never
 * @throws NotConnectedError where the workspace has no key that can be used
 * @throws RetryLaterError where a card can't be read for now: what may pass is waited for, so that a
 *   message is unfurled once and whole
 */
export async function readCards(
  deps: ReadDeps,
  input: {
    workspaceId: string;
    links: readonly CardLink[];
    detail: CardDetail;
    postedAt: Date | undefined;
  },
): Promise<CardView[]> {
  const { workspaceId, links, detail, postedAt } = input;
  const demand = demandFor(postedAt);
  const readings = await Promise.allSettled(
    links.map(({ cardId }) => deps.cards.read(workspaceId, cardId, demand)),
  );
  const views: CardView[] = [];
  for (const [index, { url }] of links.entries()) {
    const reading = readings[index];
    if (reading?.status === 'rejected') {
      throwUnlessGivenUp(deps, reading.reason, postedAt);
    } else if (reading && 'card' in reading.value) {
      const { card, readAt } = reading.value;
      const brandName =
        detail === 'title'
          ? undefined
          : await brandNameOf(deps.catalogue, workspaceId, card, demand.class);
      views.push({ card, url, detail, brandName, asOf: asOfIfOld(readAt, deps.now()) });
    }
  }
  return views;
}

/**
 * How new a link's card must be. For a posted link, as new as when it was posted: under a flood Slack
 * takes minutes to show all of them, and a card is not read again for that.
 */
function demandFor(postedAt: Date | undefined): CardDemand {
  if (!postedAt) return { class: 'background' };
  return { class: 'posted', since: new Date(postedAt.getTime() - CARD_FRESH_MS) };
}

function throwUnlessGivenUp(deps: ReadDeps, error: unknown, postedAt: Date | undefined): void {
  if (!(error instanceof DesignApiError)) throw error;
  const { code, retryAt } = error;
  const now = deps.now().getTime();
  const waitedMs = now - (postedAt?.getTime() ?? Number.NaN);
  // A question that the service refuses as such is refused the next time too.
  if (code === 'invalid_request' || !(waitedMs < TRIED_FOR_MS)) {
    deps.log.info({ code }, 'a card could not be read, its link stays as it is');
    return;
  }
  const at = retryAt ?? new Date(now + pauseMs(waitedMs));
  deps.log.info({ code, retryAt: at }, 'a card can’t be read for now, its link is tried again');
  throw new RetryLaterError(at, { cause: error });
}

/** About as long as was waited already, so that pauses double; by chance shorter, so that retries spread. */
function pauseMs(waitedMs: number): number {
  const longest = Math.min(Math.max(waitedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  return longest / 2 + Math.random() * (longest / 2);
}
