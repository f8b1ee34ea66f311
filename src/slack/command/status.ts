import type { CardReading } from '../../service/cache/card-reader.ts';
import type { CardLinks } from '../../service/card-links.ts';
import { asOfIfOld } from '../card/as-of.ts';
import { brandNameOf } from '../card/brand-name.ts';
import { sendCardMessage } from '../card/card-message.ts';
import { shareButton } from '../card/share.ts';
import { type CommandArgs, workspaceOf } from '../listener/replies.ts';
import { misused, offerForm } from './help.ts';
import { type CommandDeps, reply, replyWith, type SubCommand } from './sub-command.ts';

const NO_SUCH_CARD =
  'Your design service knows no card under that id. Check it, or paste the card’s link.';
const FORBIDDEN = 'This workspace’s API key may not read that card.';
const FOREIGN_LINK =
  'That is not a card link of your design service. Check it, or give the card’s id.';

const isLink = (word: string) => /^https?:\/\//i.test(word);

/** What was typed, without the angle brackets that Slack or its usage may have put around it. */
const withoutBrackets = (typed: string) => typed.replace(/^<([^|>]*)(\|[^>]*)?>$/, '$1').trim();

function cardIdIn(word: string, { cardIdOf, urlOf }: CardLinks): string | undefined {
  if (/\s/.test(word)) return undefined;
  // An id goes the way of a link, so that only ids that a link can carry pass.
  return cardIdOf(isLink(word) ? word : (linkTo(word, urlOf) ?? ''));
}

function linkTo(cardId: string, urlOf: CardLinks['urlOf']): string | undefined {
  try {
    return urlOf(cardId);
  } catch {
    return undefined;
  }
}

export const status: SubCommand = {
  name: 'status',
  usage: '<card id or link>',
  summary: 'a card, to you alone, with a button to share it',
  access: 'users',
  run: (deps, args, rest) => {
    const word = withoutBrackets(rest);
    const cardId = cardIdIn(word, deps.cardLinks);
    if (cardId !== undefined) {
      // One word that is no card's id may have been the end of a title.
      const unknown = () =>
        isLink(word) ? reply(args, NO_SUCH_CARD) : offerForm(args, NO_SUCH_CARD);
      return showCard(deps, args, cardId, unknown);
    }
    const isForeign = isLink(word) && !/\s/.test(word);
    return isForeign ? reply(args, FOREIGN_LINK) : misused(args, status);
  },
};

function showCard(
  deps: CommandDeps,
  args: CommandArgs,
  cardId: string,
  unknown: () => Promise<void>,
): Promise<void> {
  const workspaceId = workspaceOf(args.context);
  const answer = async (reading: CardReading) => {
    if ('unreadable' in reading) {
      return reading.unreadable === 'not_found' ? unknown() : reply(args, FORBIDDEN);
    }
    const { card, readAt } = reading;
    const url = deps.cardLinks.urlOf(cardId);
    const brandName = await brandNameOf(deps.catalogue, workspaceId, card, 'person');
    const asOf = asOfIfOld(readAt, deps.now());
    return sendCardMessage(
      { card, url, detail: 'full', brandName, asOf },
      shareButton(url),
      ({ text, blocks }) => reply(args, text, blocks),
    );
  };
  return replyWith(args, () => deps.cards.read(workspaceId, cardId, { class: 'person' }), answer);
}
