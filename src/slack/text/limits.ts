// Slack's limits, in UTF-16 units unless the name says otherwise. [T]: JSDoc of @slack/types 3.2.0.
// [D]: docs.slack.dev/reference/block-kit.

/**
 * All blocks of a message, as JSON. Longer messages may fail with `msg_blocks_too_long`. Slack
 * documents no limit; reports (bolt-js#2509, #2867) put it at about 12,000 characters of text plus
 * some for each block.
 */
export const MESSAGE_BLOCKS_MAX = 12_000;
/** Text of a section block [T]. */
export const SECTION_TEXT_MAX = 3000;
/** Fields of a section block [T]. */
export const SECTION_FIELDS_MAX = 10;
/** Text and value of an option; [D] allows 150 for the value, [T] only 75. */
export const OPTION_TEXT_MAX = 75;
export const OPTION_VALUE_MAX = 75;
/** Options of a select menu, and of an answer to a block_suggestion [T]. */
export const SELECT_OPTIONS_MAX = 100;
/** Value and web address of a button [T]. */
export const BUTTON_TEXT_MAX = 75;
export const BUTTON_VALUE_MAX = 2000;
export const BUTTON_URL_MAX = 3000;
/** Alternative text of an image [T]. */
export const IMAGE_ALT_MAX = 2000;
/** Text typed into a plain_text_input [T]. */
export const PLAIN_TEXT_INPUT_MAX = 3000;
/** Title of a modal [T]. */
export const MODAL_TITLE_MAX = 24;
/** A whole view in bytes of JSON: more is `view_too_large` [D]. */
export const VIEW_BYTES_MAX = 250_000;
/** Ours: the options of one menu, in bytes of JSON; a form has five, under VIEW_BYTES_MAX. */
export const MENU_BYTES_MAX = 10_000;
/** Ours: choices in one searchable menu. Slack shows each choice in the field. */
export const CHOSEN_MAX = 50;
/** Deepest list indentation in Slack's composer, counted from 0. */
export const LIST_INDENT_MAX = 8;
/** Ours: a text that a form begins with, so that its two rich texts stay under VIEW_BYTES_MAX. */
export const RICH_TEXT_MAX = 30_000;
/** Ours: Slack documents no limit for the text of one element of a rich text. */
export const RICH_TEXT_RUN_MAX = 12_000;

export const ELLIPSIS = '…';
/** Created on first use: it takes 10 ms to load. */
let graphemes: Intl.Segmenter | undefined;
const PLAIN_ASCII = /^[ -~\n\t]*$/;
// \p{Cc} is C0, DEL, and C1. The others are bidirectional embeddings, overrides, and isolates.
const CONTROLS = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** The longest prefix of at most `max` UTF-16 units that splits no grapheme; perhaps ''. */
export function graphemePrefix(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  // Whether a grapheme ends at `max` depends on the text before it and on one character after it.
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return text.slice(0, graphemes.segment(text.slice(0, max + 2)).containing(max)?.index ?? 0);
}

/** At most `max` UTF-16 units, ending with '…' if cut; splits no grapheme. '' without room. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < ELLIPSIS.length) return '';
  return graphemePrefix(text, max - ELLIPSIS.length).trimEnd() + ELLIPSIS;
}

/**
 * Text that every JSON parser and Slack client handles alike: CRLF becomes a line feed, lone
 * surrogates become U+FFFD, and control characters are removed, except line feed and tab, and
 * including bidirectional controls, which reorder the text around them.
 */
export function wellFormed(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(CONTROLS, '');
}

/** Whether the text has only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u.test(text);
}

/** Without NUL and lone surrogates: fields, databases, and JSON parsers disagree on them. */
export const typedText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();
