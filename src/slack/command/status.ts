import type { Cards } from '../../design-service.ts';
import { isLink, typedCardId, typedReference } from '../../references.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { RequestStore } from '../../store/requests.ts';
import { buildCardMessage, shareButton } from '../card/card-blocks.ts';
import { titleOf } from '../card/card-text.ts';
import type { CardViews } from '../card/card-view.ts';
import { sendRichest, waysOf } from '../client/post-message.ts';
import { buildProblemNote, cardUrlOf } from '../request-form/outcome.ts';
import type { AccessControl } from '../surface/access.ts';
import type { Command } from '../surface/interactions.ts';
import { STATUS, SUB_COMMAND_WORDS } from '../words/command.ts';
import { offerForm, replyWith, replyWithUsage, type SubCommand } from './command.ts';

/** Removes angle brackets, which Slack or people copying the usage put around the argument. */
const withoutBrackets = (typed: string) => typed.replace(/^<([^|>]*)(\|[^>]*)?>$/, '$1').trim();

type StatusDeps = {
  requests: Pick<RequestStore, 'getByReference'>;
  cards: Cards;
  cardViews: CardViews;
  access: AccessControl;
};

export function createStatus(deps: StatusDeps): SubCommand {
  const status: SubCommand = {
    name: 'status',
    ...SUB_COMMAND_WORDS.status,
    access: 'users',
    run: async (command, rest) => {
      const { workspaceId } = command;
      const word = withoutBrackets(rest);
      const reference = typedReference(word);
      const request = reference && (await deps.requests.getByReference(workspaceId, reference));
      if (request) return showRequest(deps, command, request);
      const cardId = typedCardId(word, deps.cards);
      if (cardId !== undefined) {
        // A word without a digit may be the rest of a title that begins with “status”.
        const isId = isLink(word) || /\d/.test(word);
        const notFound = () =>
          isId ? command.reply(STATUS.noSuchCard) : offerForm(command, STATUS.noSuchCard);
        return showCard(deps, command, cardId, notFound);
      }
      const isForeign = isLink(word) && !/\s/.test(word);
      return isForeign ? command.reply(STATUS.foreignLink) : replyWithUsage(command, status);
    },
  };
  return status;
}

/**
 * Shows a request as its card. Before there is a card, only the author sees the request, with its buttons: others may
 * see cards, but not what someone is still deciding.
 */
function showRequest(deps: StatusDeps, command: Command, request: DesignRequest): Promise<void> {
  const { cardId, userId } = request;
  const isReadable = cardId !== undefined && cardUrlOf(deps.cards, request) !== undefined;
  const show = async () => {
    if (userId !== command.userId) return command.reply(STATUS.noSuchRequest);
    const admin = request.problem && (await deps.access.adminToAsk(command));
    const { dashboardUrl } = deps.cards;
    const { text, blocks } = buildProblemNote(request, { dashboardUrl, admin });
    return command.reply(text, blocks);
  };
  return isReadable ? showCard(deps, command, cardId, show) : show();
}

function showCard(
  { access, cardViews }: StatusDeps,
  command: Command,
  cardId: string,
  notFound: () => Promise<void>,
): Promise<void> {
  return replyWith(
    access,
    command,
    () => cardViews.readForPerson(command, cardId),
    (facts) => {
      if ('unreadable' in facts) {
        return facts.unreadable === 'not_found' ? notFound() : command.reply(STATUS.forbidden);
      }
      const share = shareButton(cardId, titleOf(facts.card));
      const message = buildCardMessage({ ...facts, detail: 'small', linksFiles: true }, share);
      return sendRichest(waysOf(message), ({ text, blocks }) => command.reply(text, blocks));
    },
  );
}
