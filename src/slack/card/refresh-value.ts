import { z } from 'zod';
import type { CardLinks } from '../../service/card-links.ts';
import type { PreviewSize } from './card-view.ts';

/** The value of Refresh: which card, and how it is shown. */
export type RefreshValue = {
  cardId: string;
  detail: PreviewSize;
  /** How many more links the message has, see `CardView`. */
  moreLinks?: number | undefined;
  /** Whether another company sees it, see `CardView`. */
  isExternal?: boolean | undefined;
};

/** Short, because it must fit into an option of a menu, next to an action ID. */
export const writeRefreshValue = ({ cardId, detail, moreLinks, isExternal }: RefreshValue) =>
  `${detail}${isExternal ? '/ext' : ''}${moreLinks ? `+${moreLinks}` : ''}:${cardId}`;

const WRITTEN = /^(large|small)(\/ext)?(?:\+(\d{1,4}))?:(.+)$/s;

/** As earlier versions wrote it, which still stands in messages: the link, and how it was shown. */
const earlier = z.object({ url: z.string(), detail: z.enum(['full', 'compact', 'title']) });

/** @returns undefined if it isn't this app's */
export function readRefreshValue(
  text: string | undefined,
  { cardIdOf }: Pick<CardLinks, 'cardIdOf'>,
): RefreshValue | undefined {
  const [, detail, external, moreLinks, cardId] = WRITTEN.exec(text ?? '') ?? [];
  if (cardId !== undefined) {
    return {
      cardId,
      detail: detail === 'large' ? 'large' : 'small',
      ...(moreLinks === undefined ? {} : { moreLinks: Number(moreLinks) }),
      ...(external === undefined ? {} : { isExternal: true }),
    };
  }
  try {
    const { url, detail: shown } = earlier.parse(JSON.parse(text ?? ''));
    const linked = cardIdOf(url);
    if (linked === undefined) return undefined;
    return { cardId: linked, detail: shown === 'full' ? 'large' : 'small' };
  } catch {
    return undefined;
  }
}
