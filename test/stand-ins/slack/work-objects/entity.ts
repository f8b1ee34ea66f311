import {
  type BlockKitProblem,
  type Check,
  inspectionOf,
  isObject,
  list,
  type Rule,
  refuse,
  shape,
} from '../block-kit/check.ts';
import { flag, integer, oneOf, text, webUrl } from '../block-kit/scalar.ts';
import { asObject, asText, objectsOf } from '../json.ts';
import { customField, reference, stringField, timestampField, typedField } from './fields.ts';
import {
  ACTION_ID_CHARS,
  ACTION_LABEL_CHARS,
  ACTION_TEXT_CHARS,
  ACTION_URL_CHARS,
  ACTION_VALUE_CHARS,
  CUSTOM_FIELDS,
  NAME_CHARS,
  OVERFLOW_ACTIONS,
  PRIMARY_ACTIONS,
  TITLE_CHARS,
  VALUE_CHARS,
} from './limits.ts';

/** The one type that the stand-in knows. */
export const TASK = 'slack#/entities/task';

/** Where an entity is shown: under a link, in the app's own message, or in the pane. */
export type EntityUse = 'unfurl' | 'message' | 'details';

const name = text(1, NAME_CHARS);

const actionButton: Check = shape({
  required: { text: text(1, ACTION_TEXT_CHARS), action_id: text(1, ACTION_ID_CHARS) },
  optional: {
    value: text(1, ACTION_VALUE_CHARS),
    style: oneOf('primary', 'danger'),
    url: (value, at, inspection) => {
      webUrl(value, at, inspection);
      text(1, ACTION_URL_CHARS)(value, at, inspection);
    },
    accessibility_label: text(1, ACTION_LABEL_CHARS),
  },
});

const EMBED = 'application/vnd.slack-embed';

/** An embed has its address only in the pane. Source: docs.slack.dev/messaging/work-objects-embeds. */
function previewOf(use: EntityUse): Check {
  const rule: Rule = (preview, at, inspection) => {
    const hasAddress = preview.preview_url !== undefined;
    const isEmbed = preview.mime_type === EMBED;
    if (isEmbed && hasAddress !== (use === 'details')) {
      refuse(inspection, 'an embed has a preview_url in the flexpane, and only there', at);
    }
    if (hasAddress && preview.mime_type === undefined) {
      refuse(inspection, 'missing required field: mime_type', at);
    }
  };
  return shape(
    {
      required: { is_supported: flag },
      optional: {
        preview_url: embedAddress,
        mime_type: text(1, NAME_CHARS, /^(?:image\/.+|application\/(?:pdf|vnd\.slack-embed))$/),
      },
    },
    rule,
  );
}

/** HTTPS, except that the stand-in also reaches this machine. */
const embedAddress: Check = (value, at, inspection) => {
  webUrl(value, at, inspection);
  const url = URL.parse(String(value));
  if (url?.protocol !== 'https:' && url?.hostname !== '127.0.0.1') {
    refuse(inspection, 'must provide a secure URL', at);
  }
};

const taskFields = shape({
  optional: {
    description: stringField,
    status: stringField,
    created_by: typedField('slack#/types/user'),
    due_date: typedField('slack#/types/date', 'slack#/types/timestamp'),
    date_created: timestampField,
    date_updated: timestampField,
  },
});

const actions = shape(
  {
    optional: {
      primary_actions: list(1, PRIMARY_ACTIONS, actionButton),
      overflow_actions: list(1, OVERFLOW_ACTIONS, actionButton),
    },
  },
  (given, at, inspection) => {
    const ids = [...objectsOf(given.primary_actions), ...objectsOf(given.overflow_actions)];
    if (new Set(ids.map(({ action_id }) => action_id)).size < ids.length) {
      refuse(inspection, 'every action needs its own action_id', at);
    }
  },
);

/** Keys are unique and not those of standard fields, and only fields that exist are ordered. */
const fieldsAgree: Rule = (payload, at, inspection) => {
  const standard = Object.keys(asObject(payload.fields));
  const custom = objectsOf(payload.custom_fields).map(({ key }) => asText(key));
  const keys = [...standard, ...custom];
  if (new Set(keys).size < keys.length) refuse(inspection, 'keys must be unique', at);
  const order: unknown[] = Array.isArray(payload.display_order) ? payload.display_order : [];
  const isKnown = order.every((key) => keys.includes(asText(key)));
  if (!isKnown || new Set(order).size < order.length) {
    refuse(inspection, 'must name each existing field at most once', `${at}/display_order`);
  }
};

function payloadOf(use: EntityUse): Check {
  const attributes = shape({
    required: { title: shape({ required: { text: text(1, TITLE_CHARS) } }) },
    optional: {
      display_type: name,
      display_id: name,
      product_name: name,
      full_size_preview: previewOf(use),
      metadata_last_modified: integer(1, 9_999_999_999),
    },
  });
  return shape(
    {
      required: { attributes },
      optional: {
        fields: taskFields,
        custom_fields: list(1, CUSTOM_FIELDS, customField),
        display_order: list(1, CUSTOM_FIELDS, name),
        actions,
      },
    },
    fieldsAgree,
  );
}

/**
 * What Slack would refuse in an entity that is a task. Pointers start with `under`.
 *
 * @param use `app_unfurl_url` is required under a link, and belongs nowhere else
 */
export function validateEntity(entity: unknown, use: EntityUse, under: string): BlockKitProblem[] {
  const inspection = inspectionOf('message');
  shape({
    required: {
      entity_type: oneOf(TASK),
      entity_payload: payloadOf(use),
      external_ref: reference,
      url: webUrl,
      ...(use === 'unfurl' ? { app_unfurl_url: webUrl } : {}),
    },
  })(entity, under, inspection);
  return inspection.problems;
}

const errorShape = shape(
  {
    required: {
      status: oneOf(
        ...['restricted', 'internal_error', 'not_found', 'custom', 'custom_partial_view'],
        ...['timeout', 'edit_error'],
      ),
    },
    optional: {
      custom_title: name,
      custom_message: text(1, VALUE_CHARS),
      message_format: oneOf('markdown'),
      actions: list(1, PRIMARY_ACTIONS, actionButton),
    },
  },
  (error, at, inspection) => {
    const isOwn = error.status === 'custom' || error.status === 'custom_partial_view';
    if (isOwn && error.custom_message === undefined) {
      refuse(inspection, 'missing required field: custom_message', at);
    }
    // Slack shows its own words with the others.
    if (!isOwn && (error.custom_message ?? error.custom_title) !== undefined) {
      refuse(inspection, 'only a custom error has its own words', at);
    }
    if (error.actions !== undefined && error.status !== 'custom_partial_view') {
      refuse(inspection, 'only custom_partial_view has actions', at);
    }
  },
);

/** What Slack would refuse in the `error` of `entity.presentDetails`. */
export function validateError(error: unknown): BlockKitProblem[] {
  const inspection = inspectionOf('message');
  errorShape(error, '/error', inspection);
  return inspection.problems;
}

/** The entities of a call's metadata; undefined if it has none. */
export function entitiesIn(metadata: unknown): unknown[] | undefined {
  if (!isObject(metadata) || metadata.entities === undefined) return undefined;
  return Array.isArray(metadata.entities) ? metadata.entities : [metadata.entities];
}
