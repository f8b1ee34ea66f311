import type { Cards } from '../../design-service.ts';
import type { CallClass } from '../../service/budget/call-class.ts';
import { CARD_FRESH_MS, type CardReading } from '../../service/cache/card-reader.ts';
import type { ReferenceLists } from '../../service/cache/reference-lists.ts';
import type { DesignApiError } from '../../service/errors.ts';
import type { Card, CardReference } from '../../service/operations/card.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { WatchStore } from '../../store/watches.ts';
import type { Conversations } from '../client/conversations.ts';
import type { People } from '../client/people.ts';
import type { AccessControl, Actor } from '../interaction/access.ts';
import type { Press } from '../interaction/interactions.ts';
import { timeAgo } from '../text/blocks.ts';
import { CARD, NOT_SHOWN_EXTERNALLY, REFRESH, SHARE } from '../words/card.ts';
import { wordsForServiceError } from '../words/errors.ts';
import { markRequestFiles } from './card-files.ts';

/** `title` is for the composer, where it isn't known who will see the card; `all` takes a modal. */
export type CardDetail = 'large' | 'small' | 'title' | 'all';

/** A card, with facts that the service's answer doesn't contain. */
export type CardFacts = {
  card: Card;
  url: string;
  brandName?: string | undefined;
  typeName?: string | undefined;
  requesterName?: string | undefined;
  isWatched?: boolean | undefined;
  readAt?: Date | undefined;
  /** When it was read, if that is long enough ago to say so. */
  asOf?: Date | undefined;
  /** Why it isn't current, for the pane. */
  readError?: DesignApiError | undefined;
  shownAt: Date;
};

export type CardView = CardFacts & {
  /** The link as Slack reported it, which identifies it in `chat.unfurl`, if the card is shown under a link. */
  postedAs?: string | undefined;
  detail: CardDetail;
  /** Below the last preview of a message: how many more links it has. */
  moreLinks?: number | undefined;
  /** Whether another company saw the message's conversation when it was posted, as Slack said then. */
  isExternal?: boolean | undefined;
  /** The ID of the request that the message around a Work Object confirms; it says everything but the title. */
  confirms?: string | undefined;
  /** Whether delivered files are linked even if one is shown as a picture. */
  linksFiles?: boolean;
  /** False if Slack couldn't fetch it. */
  withPicture?: boolean;
};

export type CardViews = ReturnType<typeof createCardViews>;

export function createCardViews(deps: {
  cards: Cards;
  referenceLists: ReferenceLists;
  requests: Pick<RequestStore, 'getByCard'>;
  watches: Pick<WatchStore, 'get'>;
  people: People;
  conversations: Conversations;
  access: AccessControl;
  now: () => Date;
}) {
  const { cards, referenceLists, requests, watches, people, conversations, access, now } = deps;

  /** Only what the service's answer contains, without asking anyone. */
  function withoutLookups(cardId: string, { card, readAt }: ReadCard): CardFacts {
    const shownAt = now();
    const names = { brandName: card.brand?.name, typeName: card.requestType?.name };
    const url = cards.urlOf(cardId);
    return { card, url, ...names, readAt, asOf: asOfIfOld(readAt, shownAt), shownAt };
  }

  /** Adds what a preview says besides the service's answer. */
  async function addNames(
    { client, workspaceId }: Pick<Actor, 'client' | 'workspaceId'>,
    cardId: string,
    reading: ReadCard,
    callClass: CallClass = 'person',
  ): Promise<CardFacts> {
    const { card } = reading;
    const [brandName, typeName, request, watched] = await Promise.all([
      nameOf(card.brand, () => referenceLists.brands(workspaceId, callClass)),
      nameOf(card.requestType, () => referenceLists.requestTypes(workspaceId, callClass)),
      requests.getByCard(workspaceId, card.id),
      watches.get({ workspaceId, cardId: card.id }),
    ]);
    const person =
      request && (await people.lookUp(client, workspaceId, request.userId).catch(() => undefined));
    const { createdBy } = card;
    const isName = createdBy !== undefined && !ID_NOT_NAME.test(createdBy);
    return {
      ...withoutLookups(cardId, reading),
      card: markRequestFiles(card, request?.form),
      brandName,
      typeName: typeName ?? card.productType,
      // Not a mention, since Slack doesn't say whether one in a preview notifies.
      requesterName: person?.name || (isName ? createdBy : undefined),
      isWatched: watched !== undefined,
    };
  }

  /** @throws NotConnectedError, or DesignApiError */
  async function readForPerson(actor: Actor, cardId: string) {
    const reading = await cards.read(actor.workspaceId, cardId, { class: 'person' });
    if ('unreadable' in reading) return reading;
    return addNames(actor, cardId, reading);
  }

  return {
    withoutLookups,
    addNames,
    readForPerson,

    async readOrExplain(actor: Actor, cardId: string): Promise<CardFacts | string> {
      const read = await readForPerson(actor, cardId).catch((error: unknown) =>
        access.explainServiceError(actor, error),
      );
      return typeof read === 'object' && 'unreadable' in read ? SHARE.gone : read;
    },

    /** @param wasExternal whether another company saw it when it was posted */
    async readAgain(press: Press, cardId: string, wasExternal = false) {
      const { client, workspaceId, channelId: channel, message } = press;
      // Everyone in the message's channel sees it, including another company.
      if (channel && !message?.isEphemeral) {
        const at = { workspaceId, channel, wasExternal };
        if (await conversations.wouldLeakExternally(client, at)) {
          return { why: NOT_SHOWN_EXTERNALLY };
        }
      }
      const reading = await cards
        .refresh(workspaceId, cardId)
        .catch(async (error: unknown) => ({ why: await access.explainServiceError(press, error) }));
      if ('why' in reading) return reading;
      if ('unreadable' in reading) return { why: REFRESH.gone };
      const { card, readAt, readError, isRepeated } = reading;
      const justRead = isRepeated ? REFRESH.justRead : undefined;
      const note = readError
        ? REFRESH.outdated(wordsForServiceError(readError), CARD.asOf(timeAgo(readAt)))
        : justRead;
      return { card, readAt, note };
    },
  };
}

export type ReadCard = Extract<CardReading, { card: unknown }>;

export const asOfIfOld = (readAt: Date, now: Date): Date | undefined =>
  now.getTime() - readAt.getTime() > CARD_FRESH_MS ? readAt : undefined;

/** A number, or a long token with digits: what services use as IDs, and nobody as a name. */
const ID_NOT_NAME = /^(?:\d+|(?=\S*\d)[\w-]{16,})$/;

/**
 * The name of what a card refers to. The API doesn't document what that contains: a lone text may be a name or an ID.
 * The service's list decides; if it can't be read, the text is shown, unless it is plainly an ID.
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
