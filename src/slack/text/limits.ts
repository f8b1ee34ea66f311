// Slack's limits, in UTF-16 units unless the name says otherwise. [T] is the JSDoc of @slack/types 3.2.0,
// [D] is docs.slack.dev/reference/block-kit.

/**
 * All blocks of a message together, as JSON: more may be `msg_blocks_too_long`. Slack documents no limit.
 * Reports (bolt-js#2509, #2867) put it at about 12,000 characters of text and something for each block.
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
export const BUTTON_VALUE_MAX = 2000;
export const BUTTON_URL_MAX = 3000;
/** Alternative text of an image [T]. */
export const IMAGE_ALT_MAX = 2000;
/** Text typed into a plain_text_input [T]. */
export const PLAIN_TEXT_INPUT_MAX = 3000;
/** Title of a modal [T]. */
export const MODAL_TITLE_MAX = 24;
/** private_metadata of a view [T]. */
export const PRIVATE_METADATA_MAX = 3000;
/** A whole view in bytes of JSON: more is `view_too_large` [D]. */
export const VIEW_BYTES_MAX = 250_000;
/** Ours: the options of one menu in bytes of JSON. A form holds five and must stay under VIEW_BYTES_MAX. */
export const MENU_BYTES_MAX = 10_000;
/** Ours: how much may be chosen in one menu that is searched. Slack shows each choice in the field. */
export const CHOSEN_MAX = 50;
/** Deepest list indentation that Slack's composer offers (its own count, from 0). */
export const LIST_INDENT_MAX = 8;
/** Ours: one rich text in bytes of JSON. A form holds two and must stay under VIEW_BYTES_MAX with the rest. */
export const RICH_TEXT_BYTES_MAX = 100_000;
/** Ours: Slack names no limit for the elements of a rich text, nor for the text of one. */
export const RICH_TEXT_ELEMENTS_MAX = 1000;
export const RICH_TEXT_RUN_MAX = 12_000;

/** What `clip` ends a text with. */
export const ELLIPSIS = '…';
// Made for the first text that is cut: the rules of all languages are read for it, 10 ms of the start.
let segmenter: Intl.Segmenter | undefined;
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}
// What nearly every short text is, so that it costs one look.
const WORD = /^[!-~]+$/;
const PLAIN_ASCII = /^[ -~\n\t]*$/;
// \p{Cc} is C0, DEL and C1. The others are the bidirectional embeddings, overrides and isolates.
const CONTROLS = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The longest beginning of `text` with at most `max` UTF-16 units that splits no grapheme (what a reader
 * takes for one character); '' where the first grapheme is already longer.
 */
export function graphemePrefix(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  // Whether a grapheme ends at `max` depends on what stands before it and on the one character after it.
  const end =
    graphemes()
      .segment(text.slice(0, max + 2))
      .containing(max)?.index ?? 0;
  return text.slice(0, end);
}

/**
 * `text` where it fits into `max` UTF-16 units, else a beginning of it that ends in '…' and fits.
 * Splits neither a surrogate pair nor a grapheme. '' where `max` leaves room for nothing.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < ELLIPSIS.length) return '';
  return graphemePrefix(text, max - ELLIPSIS.length).trimEnd() + ELLIPSIS;
}

/**
 * Text that every JSON reader and every Slack client shows alike: CRLF becomes a line feed, lone surrogates
 * become U+FFFD, and control characters other than line feed and tab, and bidirectional controls (which
 * reorder the text around them), are removed.
 */
export function wellFormed(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(CONTROLS, '');
}

/** How many UTF-16 units of `text` are left when it is wellFormed and has no white space; 0 if it is blank. */
export function visibleUnits(text: string): number {
  if (WORD.test(text)) return text.length;
  return isBlank(text) ? 0 : wellFormed(text).replace(/\s/g, '').length;
}

/** Whether there is nothing to see in `text`: only white space and characters that are never drawn. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u.test(text);
}
