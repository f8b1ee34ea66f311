import { inspectBlocks } from './block.ts';
import { type Check, shape } from './check.ts';
import { plainText } from './composition.ts';
import { ID_CHARS, TEXT_OBJECT_CHARS } from './limits.ts';
import { text } from './scalar.ts';

/**
 * The value of one URL in `chat.unfurl`, as the app sends it. Legacy texts, and what Slack adds itself (`app_id`,
 * `bot_id`, `is_app_unfurl` …) are refused.
 */
export const unfurl: Check = shape({
  required: { blocks: inspectBlocks },
  optional: {
    color: text(1, ID_CHARS, /^(good|warning|danger|#?[0-9a-fA-F]{6})$/),
    preview: shape({
      optional: { title: plainText(TEXT_OBJECT_CHARS), subtitle: plainText(TEXT_OBJECT_CHARS) },
    }),
  },
});
