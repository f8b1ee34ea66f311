import { clip, wellFormed } from './limits.ts';

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
