import { z } from 'zod';
import { date, flag, id, repeated, text, webUrl } from '../block-kit/parts.ts';
import { problemsOf } from '../block-kit/validate.ts';
import { asObject, asText, isObject, type JsonObject } from '../json.ts';
import type { ShownEntity } from '../state/model.ts';
import type { SlackState } from '../state/state.ts';
import { imagePointers } from '../web-api/message-content.ts';

// Sources: docs.slack.dev/messaging/work-objects-implementation, and message-metadata.d.ts of @slack/types: the parts
// that the app uses. Slack documents no lengths for most texts. These are the stand-in's own, smaller than any that is
// known to work.

/** One call's metadata as JSON. Slack refuses more than it doesn't say (linear/linear#1080). */
export const METADATA_BYTES = 16_000;

export const TASK = 'slack#/entities/task';

/** Where an entity is shown: under a link, in the app's own message, or in the pane. */
type EntityUse = 'unfurl' | 'message' | 'details';

const name = text(255);
const value = text(3_000);
/** Unix seconds. Milliseconds are a common mistake. */
const seconds = z.int().min(0).max(9_999_999_999);
const label = name.optional();

const STRING = {
  value,
  label,
  long: flag.optional(),
  tag_color: z.enum(['red', 'yellow', 'green', 'gray', 'blue']).optional(),
};
const TIMESTAMP = { value: seconds, label };
const email = name.regex(/^[^\s@]+@[^\s@]+$/).optional();

/** What each type of field has besides its type; `fields` and `custom_fields` share them. */
const TYPES = {
  string: STRING,
  'slack#/types/date': { value: date, label },
  'slack#/types/timestamp': TIMESTAMP,
  'slack#/types/user': { user: z.strictObject({ text: name, email }), label },
  'slack#/types/link': { value: webUrl, label },
  'slack#/types/image': { alt_text: name, image_url: webUrl, label, title: name.optional() },
};

const typed = (type: keyof typeof TYPES, more: z.ZodRawShape = {}) =>
  z.strictObject({ type: z.literal(type), ...TYPES[type], ...more });

const KEY = { key: name.regex(/^[a-z0-9_]+$/), label: name };
const customField = z.discriminatedUnion('type', [
  typed('string', KEY),
  typed('slack#/types/date', KEY),
  typed('slack#/types/timestamp', KEY),
  typed('slack#/types/link', KEY),
  typed('slack#/types/image', KEY),
]);

const stringField = z.strictObject({ ...STRING, type: z.literal('string').optional() });
const timestampField = z.strictObject({
  ...TIMESTAMP,
  type: z.literal('slack#/types/timestamp').optional(),
});
const taskFields = z
  .strictObject({
    description: stringField,
    status: stringField,
    created_by: typed('slack#/types/user'),
    due_date: z.discriminatedUnion('type', [
      typed('slack#/types/date'),
      typed('slack#/types/timestamp'),
    ]),
    date_created: timestampField,
    date_updated: timestampField,
  })
  .partial();

const button = z.strictObject({
  // Not documented; as for a button in Block Kit.
  text: text(75),
  action_id: id,
  value: text(2_000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  url: webUrl.optional(),
  accessibility_label: text(75).optional(),
});

const actions = z
  .strictObject({
    primary_actions: z.array(button).min(1).max(2),
    overflow_actions: z.array(button).min(1).max(5),
  })
  .partial()
  .refine(({ primary_actions: first = [], overflow_actions: others = [] }) => {
    const ids = [...first, ...others].map(({ action_id }) => action_id);
    return repeated(ids).length === 0;
  }, 'every action needs its own action_id');

/** HTTPS, except that the stand-in also reaches this machine. */
const embedAddress = webUrl.refine(
  (url) => /^https:|^http:\/\/127\.0\.0\.1\b/.test(url),
  'must be a secure URL',
);

/** An embed: it has its address in the pane, and only there. Source: docs.slack.dev/messaging/work-objects-embeds. */
const previewOf = (use: EntityUse) =>
  z.strictObject({
    is_supported: flag,
    mime_type: z.literal('application/vnd.slack-embed'),
    ...(use === 'details' ? { preview_url: embedAddress } : {}),
  });

const payloadOf = (use: EntityUse) =>
  z
    .strictObject({
      attributes: z.strictObject({
        title: z.strictObject({ text: text(300) }),
        display_type: name.optional(),
        display_id: name.optional(),
        full_size_preview: previewOf(use).optional(),
        metadata_last_modified: seconds.min(1).optional(),
      }),
      fields: taskFields.optional(),
      custom_fields: z.array(customField).min(1).max(50).optional(),
      display_order: z.array(name).min(1).max(50).optional(),
      actions: actions.optional(),
    })
    .refine(({ fields = {}, custom_fields: custom = [], display_order: order = [] }) => {
      const keys = [...Object.keys(fields), ...custom.map((field) => asText(asObject(field).key))];
      const isKnown = order.every((key) => keys.includes(key));
      return isKnown && repeated(keys).length === 0 && repeated(order).length === 0;
    }, 'keys must be unique, and display_order must name each existing field at most once');

const entityOf = (use: EntityUse) =>
  z.strictObject({
    entity_type: z.literal(TASK),
    entity_payload: payloadOf(use),
    external_ref: z.strictObject({ id: name.regex(/^[0-9a-zA-Z\-_:!/=]+$/), type: id.optional() }),
    url: webUrl,
    // Required under a link, and belongs nowhere else.
    ...(use === 'unfurl' ? { app_unfurl_url: webUrl } : {}),
  });
const ENTITIES = {
  unfurl: entityOf('unfurl'),
  message: entityOf('message'),
  details: entityOf('details'),
};

/** What Slack would refuse in an entity that is a task. Pointers start with `under`. */
export const validateEntity = (entity: unknown, use: EntityUse, under: string) =>
  problemsOf(ENTITIES[use], entity, under);

const words = { custom_title: label, custom_message: value };
/** The app explains every error itself, so it sends none for which Slack has words of its own. */
const errorShape = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('custom'), ...words }),
  z.strictObject({
    status: z.literal('custom_partial_view'),
    ...words,
    actions: z.array(button).min(1).max(2).optional(),
  }),
]);

/** What Slack would refuse in the `error` of `entity.presentDetails`. */
export const validateError = (error: unknown) => problemsOf(errorShape, error, '/error');

export function entitiesIn(metadata: unknown): unknown[] | undefined {
  if (!isObject(metadata) || metadata.entities === undefined) return undefined;
  return Array.isArray(metadata.entities) ? metadata.entities : [metadata.entities];
}

/** What is wrong with the entities of a call's metadata; empty if nothing is. */
export function problemsOfMetadata(state: SlackState, metadata: unknown, use: EntityUse) {
  const entities = entitiesIn(metadata) ?? [];
  const at = '/metadata/entities';
  if (!state.manifest.entityTypes.includes(TASK)) {
    return [{ message: 'Work Object Previews are turned off', pointer: at }];
  }
  if (entities.length === 0) return [{ message: 'must not be empty', pointer: at }];
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES) {
    return [{ message: 'metadata is too large', pointer: '/metadata' }];
  }
  return [
    ...entities.flatMap((entity, index) => validateEntity(entity, use, `${at}/${index}`)),
    ...imagePointers(entities, at, state.brokenImages).map((pointer) => ({
      message: 'downloading image failed',
      pointer,
    })),
  ];
}

export function shownEntity(entity: unknown, botId: string): ShownEntity {
  const given: JsonObject = asObject(entity);
  return { entity: given, appUnfurlUrl: asText(given.app_unfurl_url) || undefined, botId };
}

/** All are required. Source: docs.slack.dev/changelog/2026/11/06/work-objects-embeds-frame-ancestors. */
const FRAME_ANCESTORS = [
  'https://*.slack.com',
  'https://*.slack-gov.com',
  'https://*.slack-mcps.com',
];

/** Loads the page of an embed, as a browser does in Slack's frame. */
export async function loadEmbed(
  { reachable }: SlackState,
  address: string,
): Promise<{ page: string } | { problem: string }> {
  const [at, server] = [...reachable].find(([known]) => address.startsWith(`${known}/`)) ?? [];
  const url = at === undefined ? address : `${server}${address.slice(at.length)}`;
  const response = await fetch(url, {
    headers: { origin: 'null', 'sec-fetch-dest': 'iframe' },
    redirect: 'error',
  }).catch(() => undefined);
  if (!response) return { problem: 'The page can’t be reached.' };
  const problem = problemOf(response);
  return problem ? { problem } : { page: await response.text() };
}

function problemOf({ ok, status, headers }: Response): string | undefined {
  if (!ok) return `The page answered with ${status}.`;
  const policy = headers.get('content-security-policy') ?? '';
  const ancestors = /(?:^|;)\s*frame-ancestors ([^;]*)/.exec(policy)?.[1]?.split(/\s+/) ?? [];
  const missing = FRAME_ANCESTORS.find((one) => !ancestors.includes(one));
  if (missing) return `The page can’t be framed by ${missing}.`;
  if (headers.has('x-frame-options')) return 'X-Frame-Options forbids the frame.';
  if (headers.has('set-cookie')) return 'The page sets a cookie, which a frame of Slack ignores.';
  if (!headers.get('content-type')?.startsWith('text/html')) return 'The page is no HTML.';
  return undefined;
}
