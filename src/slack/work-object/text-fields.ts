import type { EntityCustomField } from '@slack/types';
import { clip, isBlank, wellFormed } from '../text/limits.ts';

/** Slack documents no limits for texts; longer ones would fill the pane. In characters. */
const SHORT_SHOWN = 250;
const LONG_SHOWN = 2_500;
const LABEL_SHOWN = 100;

/**
 * Text from the service as Slack shows it: without formatting, and without any effect if Slack should look for
 * mentions and links in it after all.
 *
 * @returns undefined if blank
 */
export function shownText(text: string | undefined, most = SHORT_SHOWN): string | undefined {
  const shown = text === undefined ? '' : wellFormed(text).trim();
  return isBlank(shown) ? undefined : clip(inert(shown), most);
}

export const longText = (text: string): string | undefined => shownText(text, LONG_SHOWN);

/** A word joiner is invisible. Slack's sequences begin with "<" and one of these. */
const inert = (text: string) => text.replaceAll(/<(?=[!@#/\w])/g, '<\u2060');

/** A field of text; none if it is blank. */
export function textField(
  key: string,
  label: string,
  text: string | undefined,
  { long = false } = {},
): EntityCustomField[] {
  const value = shownText(text, long ? LONG_SHOWN : SHORT_SHOWN);
  if (value === undefined) return [];
  return [{ key, label, type: 'string', value, ...(long ? { long } : {}) }];
}

/** A label that the service wrote, such as a file's name. */
export const shownLabel = (text: string, otherwise: string): string =>
  shownText(text.replaceAll(/\s+/g, ' '), LABEL_SHOWN) ?? otherwise;
