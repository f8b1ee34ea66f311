// Slack documents no lengths for most texts of a Work Object. These are the stand-in's own, smaller than any that is
// known to work.
export const TITLE_CHARS = 300;
export const NAME_CHARS = 255;
export const VALUE_CHARS = 3_000;
export const CUSTOM_FIELDS = 50;
/** One call's metadata as JSON. Slack refuses more than it doesn't say (linear/linear#1080). */
export const METADATA_BYTES = 16_000;

// docs.slack.dev/messaging/work-objects-implementation
export const PRIMARY_ACTIONS = 2;
export const OVERFLOW_ACTIONS = 5;
export const ACTION_ID_CHARS = 255;
export const ACTION_VALUE_CHARS = 2_000;
export const ACTION_URL_CHARS = 3_000;
export const ACTION_LABEL_CHARS = 75;
/** Not documented; as for a button in Block Kit. */
export const ACTION_TEXT_CHARS = 75;
