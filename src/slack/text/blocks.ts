import type { ContextBlock, MrkdwnElement, SectionBlock } from '@slack/types';
import { clipMrkdwn } from './clip-mrkdwn.ts';
import { SECTION_TEXT_MAX } from './limits.ts';

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
