import type { Cards } from '../../design-service.ts';
import { isLink, typedCardId, typedReference } from '../../references.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { RequestStore } from '../../store/requests.ts';
import { buildCardMessage, shareButton } from '../card/card-blocks.ts';
import { titleOf } from '../card/card-text.ts';
import type { CardViews } from '../card/card-view.ts';
import { sendRichest, waysOf } from '../client/post-message.ts';
import { buildProblemNote, canAdminHelp } from '../request-form/outcome.ts';
import type { AccessControl } from '../surface/access.ts';
import type { Command } from '../surface/interactions.ts';
import { STATUS, SUB_COMMAND_WORDS } from '../words/command.ts';
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

  /**
   * Shows a request as its card. Before there is a card, only the author sees the request, with its buttons: others may
   * see cards, but not what someone is still deciding.
   */
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
