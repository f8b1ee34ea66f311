import type { KnownBlock } from '@slack/types';
import { clip, wellFormed } from '../text/limits.ts';
import { cardButtons, linkedTitle } from './card-blocks.ts';
import type { CardDetail } from './card-view.ts';

/** A posted link whose card is not there to be shown, and why not. */
export type MissingCard = {
  url: string;
  /** How Slack names the link. */
  postedAs: string;
  cardId: string;
  /** How much is shown once it can be read. */
  detail: CardDetail;
  /** `follows` by itself; `unread`: given up; `gone`: the service refuses it. */
  missing: 'pending' | 'failed' | 'notFound';
};

const WORDS: Record<MissingCard['missing'], string> = {
  pending: 'Design request  ·  details follow',
  failed: 'Design request  ·  its details couldn’t be read. Refresh tries again.',
  notFound: 'Design request  ·  it can’t be read: it is gone, or the API key may not see it.',
};

/** Of a card's id, in characters. */
const ID_SHOWN = 100;

/** What stands under a link as long as its card does not: nothing that only the service knows. */
export function buildMissingCardBlocks({
  url,
  postedAs,
  cardId,
  detail,
  missing,
}: MissingCard): KnownBlock[] {
  const title = `Card ${clip(wellFormed(cardId), ID_SHOWN)}`;
  return [
    { type: 'section', text: mrkdwn(linkedTitle(url, title)) },
    { type: 'context', elements: [mrkdwn(WORDS[missing])] },
    ...cardButtons({ url, postedAs, detail }),
  ];
}

const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text, verbatim: true });
