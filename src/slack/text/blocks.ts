import type { ContextBlock, MrkdwnElement, SectionBlock } from '@slack/types';
import { clipMrkdwn } from './escape.ts';
import { clip, SECTION_TEXT_MAX, wellFormed } from './limits.ts';

/**
 * @param text mrkdwn; what goes beyond Slack's limit is cut off
 * @returns verbatim, which stops Slack from turning names and URLs in it into links
 */
export const mrkdwn = (text: string): MrkdwnElement => ({
  type: 'mrkdwn',
  text: clipMrkdwn(text, SECTION_TEXT_MAX),
  verbatim: true,
});

/** A paragraph. */
export const section = (text: string): SectionBlock => ({ type: 'section', text: mrkdwn(text) });

/** A line in small print. */
export const context = (text: string): ContextBlock => ({
  type: 'context',
  elements: [mrkdwn(text)],
});

/** Slack's limit (docs.slack.dev/reference/block-kit/block-elements/button-element). */
const ACCESSIBILITY_LABEL_MAX = 75;

/**
 * What a screen reader says for a button, so that it can be told apart from the same button of
 * another card or request.
 *
 * @param button its text
 * @param about the title of its card or request, as plain text
 */
export function accessibilityLabel(button: string, about: string): string {
  const label = `${button}: ${wellFormed(about)}`.replaceAll(/\s+/g, ' ').trim();
  return clip(label, ACCESSIBILITY_LABEL_MAX);
}
