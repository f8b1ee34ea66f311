import type { WorkspaceId } from '../../installations/workspace-id.ts';
import {
  CARD_FRESH_MS,
  type CardDemand,
  type CardReading,
} from '../../service/cache/card-reader.ts';
import { DesignApiError } from '../../service/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { CardDetail, CardView } from './card-view.ts';
import { asOfIfOld, type DescribeDeps, describeCard } from './describe-card.ts';

type ReadDeps = DescribeDeps & Pick<SlackDeps, 'cards' | 'log'>;

/** A link to a card, as posted. */
export type CardLink = {
  url: string;
  /** The link as Slack reported it, which identifies it in `chat.unfurl`. */
  postedAs: string;
  cardId: string;
};

/** The links of one message. */
export type LinksToRead = {
  client: SlackClient;
  workspaceId: WorkspaceId;
  links: readonly CardLink[];
  detail: CardDetail;
  /** How many more links the message has. */
  moreLinks?: number;
  /** Whether another company sees them. */
  isExternal: boolean;
  /** When they were posted; undefined in the composer, where they are shown now or never. */
  postedAt: Date | undefined;
};

export type LinksRead = {
  /** The cards that can be shown. */
  shown: CardView[];
  /** Whether a card couldn't be read for now. Those that the service doesn't have, or refuses, are just left out. */
  isMissing: boolean;
  /**
   * Why not every card is current: the failure that takes longest to pass. Undefined if all are
   * current.
   */
  trouble?: DesignApiError;
};

type ReadAttempt = { reading: CardReading } | { trouble: DesignApiError };

/**
 * Reads the cards of a message's links.
 *
 * @throws NotConnectedError if the workspace has no usable key
 */
export async function readCards(deps: ReadDeps, input: LinksToRead): Promise<LinksRead> {
  const { workspaceId, links, postedAt } = input;
  const demand = demandFor(postedAt);
  const outcomes = await Promise.all(
    links.map(({ cardId }) => readOne(deps, workspaceId, cardId, demand)),
  );
  const read: LinksRead = { shown: [], isMissing: false };
  for (const [index, link] of links.entries()) {
    const outcome = outcomes[index];
    if (!outcome) continue;
    const trouble = troubleIn(outcome);
    if (trouble?.code === 'invalid_request') {
      // The service would refuse the same call again.
      deps.log.info(
        { code: trouble.code },
        'the service refused to read a card, so its link is not unfurled',
      );
      continue;
    }
    if (trouble) read.trouble = laterOf(read.trouble, trouble);
    if ('trouble' in outcome) read.isMissing = true;
    else if ('card' in outcome.reading) {
      read.shown.push(await viewOf(deps, input, link, outcome.reading, demand));
    }
  }
  return read;
}

/**
 * How current a card must be. For a posted link, as of when it was posted: during a flood, Slack
 * takes minutes to show all links, and cards are not read again for that.
 */
function demandFor(postedAt: Date | undefined): CardDemand {
  if (!postedAt) return { class: 'background' };
  return { class: 'posted', since: new Date(postedAt.getTime() - CARD_FRESH_MS) };
}

function readOne(
  { cards }: ReadDeps,
  workspaceId: WorkspaceId,
  cardId: string,
  demand: CardDemand,
): Promise<ReadAttempt> {
  return cards.read(workspaceId, cardId, demand).then(
    (reading) => ({ reading }),
    (error: unknown) => {
      if (error instanceof DesignApiError) return { trouble: error };
      throw error;
    },
  );
}

function troubleIn(outcome: ReadAttempt): DesignApiError | undefined {
  if ('trouble' in outcome) return outcome.trouble;
  return 'card' in outcome.reading ? outcome.reading.trouble : undefined;
}

/** The failure that takes longer to pass, as far as the service says. */
function laterOf(a: DesignApiError | undefined, b: DesignApiError): DesignApiError {
  const retryMs = (trouble: DesignApiError) => trouble.retryAt?.getTime() ?? 0;
  return a && retryMs(a) > retryMs(b) ? a : b;
}

async function viewOf(
  deps: ReadDeps,
  { client, workspaceId, detail, isExternal }: LinksToRead,
  { url, postedAs }: CardLink,
  reading: Extract<CardReading, { card: unknown }>,
  { class: callClass }: CardDemand,
): Promise<CardView> {
  const { card, readAt } = reading;
  const shownAt = deps.now();
  const described =
    detail === 'title'
      ? { card, asOf: asOfIfOld(readAt, shownAt), shownAt }
      : await describeCard(deps, { client, workspaceId, callClass }, reading);
  return { ...described, url, postedAs, detail, isExternal };
}
