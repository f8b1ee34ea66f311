import type { CardLinks } from '../../design-api/card-links.ts';
import { buildCardBlocks, titleOf } from '../card/card-blocks.ts';
import { brandNameOf } from '../card/card-view.ts';
import { shareButton } from '../card/share.ts';
import { workspaceOf } from '../listeners.ts';
import { misused } from './help.ts';
import { forReaders, reply, replyWith, type SubCommand } from './sub-command.ts';

const UNREADABLE = {
  not_found: 'Your design service knows no card under that id. Check it, or paste the card’s link.',
  forbidden: 'This workspace’s API key may not read that card.',
} as const;

/** One word, an id or a link; Slack may have put a link into angle brackets. */
function cardIdIn(rest: string, { cardIdOf, urlOf }: CardLinks): string | undefined {
  const word = rest.replace(/^<([^|>]*)(\|[^>]*)?>$/, '$1');
  // An id goes the way of a link, so that only ids that a link can carry pass.
  return cardIdOf(/^https?:\/\//i.test(word) ? word : (linkTo(word, urlOf) ?? ''));
}

function linkTo(cardId: string, urlOf: CardLinks['urlOf']): string | undefined {
  try {
    return /\s/.test(cardId) ? undefined : urlOf(cardId);
  } catch {
    return undefined;
  }
}

export const status: SubCommand = {
  name: 'status',
  usage: '<card id or link>',
  summary: 'a card, to you alone, with a button to share it',
  run: (deps, args, rest) =>
    forReaders(deps, args, async () => {
      const cardId = cardIdIn(rest, deps.cardLinks);
      if (cardId === undefined) {
        return rest.startsWith('http')
          ? reply(
              args,
              'That is not a card link of your design service. Check it, or give the card’s id.',
            )
          : misused(args, status, rest);
      }
      await replyWith(args, async () => {
        const workspaceId = workspaceOf(args.context);
        const reading = await deps.cards.read(workspaceId, cardId);
        if ('unreadable' in reading) return { text: UNREADABLE[reading.unreadable] };
        const { card } = reading;
        const url = deps.cardLinks.urlOf(cardId);
        const brandName = brandNameOf(card, deps.catalogue.peekFormOptions(workspaceId)?.brands);
        const blocks = buildCardBlocks({ card, url, detail: 'full', brandName });
        return { text: titleOf(card), blocks: [...blocks, shareButton(url)] };
      });
    }),
};
