import type { Cards } from '../../design-service.ts';
import { isLink, typedCardId, typedReference } from '../../references.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { WatchStore } from '../../store/watches.ts';
import { buildCardMessage, shareButton } from '../card/card-blocks.ts';
import { titleOf } from '../card/card-text.ts';
import type { CardViews } from '../card/card-view.ts';
import { sendRichest, waysOf } from '../client/post-message.ts';
import type { AccessControl } from '../interaction/access.ts';
import type { Command } from '../interaction/interactions.ts';
import { buildProblemNote, buttonsFor, canAdminHelp, requestRow } from '../request-form/outcome.ts';
import { buttonRow, context, fitGroups } from '../text/blocks.ts';
import { LIST, STATUS, SUB_COMMAND_WORDS } from '../words/command.ts';
import { offerForm, type SubCommand } from './command.ts';

/** Removes angle brackets, which Slack or people copying the usage put around the argument. */
const withoutBrackets = (typed: string) => typed.replace(/^<([^|>]*)(\|[^>]*)?>$/, '$1').trim();

export function createStatus(deps: {
  requests: Pick<RequestStore, 'getByReference'>;
  cards: Cards;
  cardViews: CardViews;
  access: AccessControl;
}): SubCommand {
  const { requests, cards, cardViews, access } = deps;

  async function showCard(command: Command, cardId: string, notFound: () => Promise<void>) {
    const facts = await cardViews.readForPerson(command, cardId);
    if ('unreadable' in facts) {
      return facts.unreadable === 'not_found' ? notFound() : command.reply(STATUS.forbidden);
    }
    const share = shareButton(cardId, titleOf(facts.card));
    const message = buildCardMessage({ ...facts, detail: 'small', linksFiles: true }, share);
    return sendRichest(waysOf(message), ({ text, blocks }) => command.reply(text, blocks));
  }

  /** Before there is a card, only the author sees the request: others may see cards, but not what is being decided. */
  async function showRequest(command: Command, request: DesignRequest): Promise<void> {
    const { cardId, userId } = request;
    const show = async () => {
      if (userId !== command.userId) return command.reply(STATUS.noSuchRequest);
      const admin = canAdminHelp(request) ? await access.adminToAsk(command) : undefined;
      const { text, blocks } = buildProblemNote(request, cards.dashboardUrl, admin);
      return command.reply(text, blocks);
    };
    const isReadable = cardId !== undefined && cards.urlIfPossible(cardId) !== undefined;
    return isReadable ? showCard(command, cardId, show) : show();
  }

  return {
    name: 'status',
    ...SUB_COMMAND_WORDS.status,
    access: 'users',
    accepts: (rest) => {
      const word = withoutBrackets(rest);
      const isOneLink = isLink(word) && !/\s/.test(word);
      return isOneLink || typedCardId(word, cards) !== undefined;
    },
    run: async (command, rest) => {
      const word = withoutBrackets(rest);
      const reference = typedReference(word);
      const request = reference && (await requests.getByReference(command.workspaceId, reference));
      if (request) return showRequest(command, request);
      const cardId = typedCardId(word, cards);
      if (cardId === undefined) return command.reply(STATUS.foreignLink);
      // A word without a digit may be the rest of a title that begins with “status”.
      const isId = isLink(word) || /\d/.test(word);
      return showCard(command, cardId, () =>
        isId ? command.reply(STATUS.noSuchCard) : offerForm(command, STATUS.noSuchCard),
      );
    },
  };
}

/** Requests to show. Each that is a card may cost a call to the service. */
const MAX_SHOWN = 10;

export function createList(deps: {
  requests: RequestStore;
  watches: Pick<WatchStore, 'watchedBy'>;
  cards: Cards;
  now: () => Date;
}): SubCommand {
  const { requests, watches, cards, now } = deps;

  /** The card, however old; undefined if it can't be read. */
  async function cardOf({ cardId, workspaceId }: DesignRequest) {
    if (cardId === undefined) return undefined;
    const demand = { class: 'person', allowStale: true } as const;
    const reading = await cards.read(workspaceId, cardId, demand).catch(() => undefined);
    return reading && 'card' in reading ? reading : undefined;
  }

  return {
    name: 'list',
    ...SUB_COMMAND_WORDS.list,
    access: 'users',
    run: async (command) => {
      const { workspaceId, userId } = command;
      const [shown, count] = await Promise.all([
        requests.listByAuthor(workspaceId, userId, MAX_SHOWN),
        requests.countByAuthor(workspaceId, userId),
      ]);
      if (shown.length === 0) return command.reply(LIST.none);
      const cardIds = shown.flatMap(({ cardId }) => cardId ?? []);
      const watched = await watches.watchedBy(workspaceId, userId, cardIds);
      const describe = async (request: DesignRequest) => {
        const drawn = { card: await cardOf(request), links: cards, watched, now: now() };
        return [
          requestRow(request, { ...drawn, separator: ' · ' }),
          ...buttonRow(buttonsFor(request, cards.dashboardUrl)),
        ];
      };
      const { blocks, left } = fitGroups(await Promise.all(shown.map(describe)));
      const older = left + Math.max(count - shown.length, 0);
      const note = older > 0 ? [context(LIST.olderNotShown(older))] : [];
      await command.reply(LIST.heading, [...blocks, ...note]);
    },
  };
}
