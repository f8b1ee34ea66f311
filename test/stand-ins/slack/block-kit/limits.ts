/**
 * All blocks of a message, or of its unfurls, as JSON. Slack documents no limit, and its answer
 * (`msg_blocks_too_long`) has no number. Reports mention 12,000 characters of text "with a buffer for block
 * containers" (bolt-js#2509), a refusal at 11,341 characters of text in many blocks, and that response_url accepts
 * what chat.postMessage refuses (bolt-js#2867). Counting the JSON everywhere is stricter than all of them.
 */
export const MESSAGE_BLOCKS_JSON_CHARS = 12_000;
export const VIEW_BLOCKS = 100;
/** Slack says 250 KB; this is the smaller interpretation. Bytes of the view as JSON in UTF-8. */
export const VIEW_BYTES = 250_000;
