import { inspectBlocks } from './block.ts';
import { anyOf, type Check, list, shape } from './check.ts';
import { plainText } from './composition.ts';
import {
  ATTACHMENT_FOOTER_CHARS,
  ID_CHARS,
  MESSAGE_ATTACHMENTS,
  TEXT_OBJECT_CHARS,
} from './limits.ts';
import { flag, oneOf, text, webUrl } from './scalar.ts';

/** Slack documents no limit for the legacy texts; this is the one for a whole message's text. */
const LEGACY_TEXT_CHARS = 40_000;
const LEGACY_FIELDS = 100;
const MRKDWN_PARTS = ['pretext', 'text', 'fields'] as const;

const legacyText = text(1, LEGACY_TEXT_CHARS);
const color = text(1, ID_CHARS, /^(good|warning|danger|#?[0-9a-fA-F]{6})$/);
const timestamp: Check = (value, at, inspection) =>
  text(1, ID_CHARS, /^\d+(\.\d+)?$/)(
    typeof value === 'number' ? `${value}` : value,
    at,
    inspection,
  );

// The types spell the icon `iconUrl`, the documentation `icon_url`.
const preview = shape({
  optional: {
    type: text(1, ID_CHARS),
    can_remove: flag,
    title: plainText(TEXT_OBJECT_CHARS),
    subtitle: plainText(TEXT_OBJECT_CHARS),
    iconUrl: webUrl,
    icon_url: webUrl,
  },
});

const field = shape({
  required: { title: text(0, LEGACY_TEXT_CHARS), value: text(0, LEGACY_TEXT_CHARS) },
  optional: { short: flag },
});

/**
 * One secondary attachment of a message, or the value of one URL in `chat.unfurl`. Legacy `actions` and what Slack
 * adds itself (`app_id`, `bot_id`, `is_app_unfurl` …) are refused.
 */
export const attachment: Check = shape(
  {
    optional: {
      blocks: inspectBlocks,
      color,
      preview,
      fallback: legacyText,
      pretext: legacyText,
      text: legacyText,
      title: legacyText,
      title_link: webUrl,
      author_name: legacyText,
      author_subname: legacyText,
      author_link: webUrl,
      author_icon: webUrl,
      fields: list(1, LEGACY_FIELDS, field),
      image_url: webUrl,
      thumb_url: webUrl,
      footer: text(1, ATTACHMENT_FOOTER_CHARS),
      footer_icon: webUrl,
      ts: timestamp,
      mrkdwn_in: list(0, MRKDWN_PARTS.length, oneOf(...MRKDWN_PARTS)),
    },
  },
  anyOf('blocks', 'text', 'fallback', 'title', 'pretext', 'fields', 'image_url'),
);

/** The attachments of one message; Slack accepts at most 100. */
export const attachments: Check = list(0, MESSAGE_ATTACHMENTS, attachment);
