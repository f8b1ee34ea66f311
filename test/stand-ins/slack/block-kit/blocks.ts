import { z } from 'zod';
import { accessory, action, image, inputIn } from './elements.ts';
import {
  anyText,
  flag,
  id,
  kind,
  mrkdwn,
  oneOf,
  plainText,
  repeated,
  text,
  webUrl,
} from './parts.ts';
import { richText } from './rich-text.ts';

// The blocks that the app shows; others are refused, too. Source: docs.slack.dev/reference/block-kit/blocks.

/**
 * All blocks of a message, or of its unfurls, as JSON. Slack documents no limit, and its answer
 * (`msg_blocks_too_long`) has no number. Reports mention 12,000 characters of text "with a buffer for block
 * containers" (bolt-js#2509), a refusal at 11,341 characters of text in many blocks, and that response_url accepts
 * what chat.postMessage refuses (bolt-js#2867). Counting the JSON everywhere is stricter than all of them.
 */
export const MESSAGE_BLOCKS_JSON_CHARS = 12_000;

/** Where blocks are shown: each surface accepts its own kinds of blocks and elements. */
export type Surface = 'message' | 'unfurl' | 'modal' | 'home';

const block = (type: string, required: z.ZodRawShape, optional: z.ZodRawShape = {}) =>
  kind(type, required, { block_id: id, ...optional });

const section = block(
  'section',
  {},
  { text: anyText(3000), fields: z.array(anyText(2000)).min(1).max(10), accessory },
).refine((one) => one.text !== undefined || one.fields !== undefined, 'must have text or fields');

const inContext = oneOf(image, plainText(3000), mrkdwn(3000));

const actions = block('actions', { elements: z.array(action).min(1).max(25) }).superRefine(
  ({ elements }, { addIssue }) => {
    // "Should be unique among all other action_ids in the containing block"; Slack refuses duplicates.
    const ids = (elements as { action_id?: string }[]).map((element) => element.action_id);
    for (const at of repeated(ids)) {
      addIssue({ code: 'custom', message: 'must be unique', path: ['elements', at, 'action_id'] });
    }
  },
);

const EVERYWHERE = [
  block('header', { text: plainText(150) }),
  block('divider', {}),
  block('context', { elements: z.array(inContext).min(1).max(10) }),
  block('image', { alt_text: text(2000), image_url: webUrl }),
  actions,
];

/** A file input dispatches no actions, according to the reference of the input block. */
const inputOn = (surface: Surface) =>
  block(
    'input',
    { label: plainText(2000), element: inputIn(surface) },
    { hint: plainText(2000), optional: flag, dispatch_action: flag },
  ).refine(
    ({ element, dispatch_action: dispatches }) =>
      dispatches !== true || Object(element).type !== 'file_input',
    { path: ['dispatch_action'], message: 'must not be set for a file_input' },
  );

function blocksOn(surface: Surface) {
  // Rich text in an unfurl is answered with invalid_blocks (slackapi/java-slack-sdk#948), and in an unfurl there is
  // no particular person who could fill in an input.
  const others = surface === 'unfurl' ? [] : [richText, inputOn(surface)];
  const isView = surface === 'modal' || surface === 'home';
  return z.array(oneOf(section, ...EVERYWHERE, ...others)).max(isView ? 100 : 50);
}

export const BLOCKS = {
  message: blocksOn('message'),
  unfurl: blocksOn('unfurl'),
  modal: blocksOn('modal'),
  home: blocksOn('home'),
};

/** One URL in `chat.unfurl`, as the app sends it: legacy texts, and what Slack adds itself, are refused. */
export const unfurl = z.strictObject({
  blocks: BLOCKS.unfurl,
  color: z
    .string()
    .regex(/^(good|warning|danger|#?[0-9a-fA-F]{6})$/)
    .optional(),
  preview: z
    .strictObject({ title: plainText(3000), subtitle: plainText(3000) })
    .partial()
    .optional(),
});

// Source: docs.slack.dev/reference/views.
const VIEW = { private_metadata: text(3000, 0), callback_id: text(255, 0) };
const title = plainText(24);
const modal = kind(
  'modal',
  { title, blocks: BLOCKS.modal },
  { ...VIEW, submit: title, close: title, notify_on_close: flag },
).refine(
  ({ submit, blocks }) =>
    submit !== undefined || !(blocks as { type?: string }[]).some(({ type }) => type === 'input'),
  'must have a submit button, since it has inputs',
);

export const view = oneOf(modal, kind('home', { blocks: BLOCKS.home }, VIEW));
