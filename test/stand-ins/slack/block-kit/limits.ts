// Slack's limits for Block Kit. Lengths are in characters. If the documentation and the types of @slack/types
// differ, this is the smaller number, so that what passes here passes in Slack.

// Composition objects: docs.slack.dev/reference/block-kit/composition-objects
export const TEXT_OBJECT_CHARS = 3000;
export const OPTION_TEXT_CHARS = 75;
/** 75 in @slack/types, 150 in the documentation. */
export const OPTION_VALUE_CHARS = 75;
export const OPTION_DESCRIPTION_CHARS = 75;
export const CONFIRM_TITLE_CHARS = 100;
export const CONFIRM_TEXT_CHARS = 300;
export const CONFIRM_BUTTON_CHARS = 30;
export const ID_CHARS = 255;
export const URL_CHARS = 3000;

// Elements: docs.slack.dev/reference/block-kit/block-elements
export const BUTTON_TEXT_CHARS = 75;
export const BUTTON_VALUE_CHARS = 2000;
export const ACCESSIBILITY_LABEL_CHARS = 75;
export const PLACEHOLDER_CHARS = 150;
export const SELECT_OPTIONS = 100;
export const CHOICE_OPTIONS = 10;
export const OVERFLOW_OPTIONS = 5;
export const PLAIN_TEXT_INPUT_CHARS = 3000;
export const FILE_INPUT_FILES = 10;
export const LIST_INDENT = 8;

// Blocks: docs.slack.dev/reference/block-kit/blocks
export const SECTION_TEXT_CHARS = 3000;
export const SECTION_FIELDS = 10;
export const SECTION_FIELD_CHARS = 2000;
export const HEADER_TEXT_CHARS = 150;
export const CONTEXT_ELEMENTS = 10;
export const ACTIONS_ELEMENTS = 25;
export const IMAGE_ALT_TEXT_CHARS = 2000;
export const IMAGE_TITLE_CHARS = 2000;
export const INPUT_LABEL_CHARS = 2000;
export const INPUT_HINT_CHARS = 2000;

// Surfaces: docs.slack.dev/reference/views, docs.slack.dev/reference/methods/chat.postMessage
export const MESSAGE_BLOCKS = 50;
/**
 * All blocks of a message, or of its unfurls, as JSON. Slack documents no limit, and its answer
 * (`msg_blocks_too_long`) has no number. Reports mention 12,000 characters of text "with a buffer for block
 * containers" (bolt-js#2509), a refusal at 11,341 characters of text in many blocks, and that response_url accepts
 * what chat.postMessage refuses (bolt-js#2867). Counting the JSON everywhere is stricter than all of them.
 */
export const MESSAGE_BLOCKS_JSON_CHARS = 12_000;
export const VIEW_BLOCKS = 100;
export const VIEW_TITLE_CHARS = 24;
export const PRIVATE_METADATA_CHARS = 3000;
/** Slack says 250 KB; this is the smaller interpretation. Bytes of the view as JSON in UTF-8. */
export const VIEW_BYTES = 250_000;
