import { z } from 'zod';
import type { CardDetail } from './card-view.ts';

/** The value of a Refresh button: the link as Slack reported it, and how much is shown under it. */
export type RefreshValue = { url: string; detail: CardDetail };

const refreshValue = z.object({ url: z.string(), detail: z.enum(['full', 'compact', 'title']) });

export const writeRefreshValue = (value: RefreshValue): string => JSON.stringify(value);

/** @returns undefined if it isn't this app's */
export function readRefreshValue(text: string | undefined): RefreshValue | undefined {
  try {
    return refreshValue.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
