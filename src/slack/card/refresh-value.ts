import { z } from 'zod';
import type { CardDetail } from './card-view.ts';

/** What a Refresh button carries: which address it stands under, as Slack gave it, and how much is shown there. */
export type RefreshValue = { url: string; detail: CardDetail };

const refreshValue = z.object({ url: z.string(), detail: z.enum(['full', 'compact', 'title']) });

export const writeRefreshValue = (value: RefreshValue): string => JSON.stringify(value);

/** @returns undefined where the value is none of this app's */
export function readRefreshValue(text: string | undefined): RefreshValue | undefined {
  try {
    return refreshValue.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
