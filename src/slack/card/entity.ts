import { createHash } from 'node:crypto';
import type {
  EntityActionButton,
  EntityCustomField,
  EntityFullSizePreview,
  EntityMetadata,
  TaskEntityFields,
} from '@slack/types';
import type { DesignApiError } from '../../service/errors.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import { accessibilityLabel } from '../text/blocks.ts';
import { htmlToText } from '../text/html-lines.ts';
import { BUTTON_URL_MAX, BUTTON_VALUE_MAX, typedText } from '../text/limits.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { wordsForReadError } from '../words/errors.ts';
import { WORK_OBJECT } from '../words/work-object.ts';
import { titleOf } from './card-text.ts';
import type { CardView } from './card-view.ts';
import {
  fileFields,
  longText,
  pictureField,
  secondsOf,
  shownText,
  taskFields,
  textField,
  wordyDueDate,
} from './entity-fields.ts';
import { CARD_ACTIONS, writeRefreshValue } from './menu.ts';

/** EntityType.Task, without loading the package for it. */
const TASK = 'slack#/entities/task';
/** Our limit for the metadata of one call, in bytes of JSON. Slack has a limit, too, and doesn't document it. */
export const METADATA_BYTES_MAX = 15_000;

type Shown = CardView & {
  /** Why it isn't current. */
  trouble?: DesignApiError | undefined;
};

/**
 * The small form, under a link or in our own message.
 *
 * @param options.isLinked whether it is under a link, which Slack wants to be exactly as it reported it
 * @param options.maxBytes of its JSON
 */
export function buildEntity(
  shown: Shown,
  options: { isLinked: boolean; hasGallery: boolean; maxBytes?: number },
): EntityMetadata {
  const { card, url, postedAs = url, brandName, typeName, moreLinks } = shown;
  const { confirms, withPicture = true } = shown;
  const title = entityTitle(shown);
  const facts = [
    ...wordyDueDate(card),
    ...textField('brand', WORK_OBJECT.brand, brandName),
    ...textField('type', WORK_OBJECT.type, typeName),
    ...(moreLinks ? textField('more', WORK_OBJECT.more, CARD.moreLinks(moreLinks)) : []),
  ];
  const entity = entityOf(shown, {
    ...(confirms === undefined ? { fields: taskFields(shown), facts } : { fields: {}, facts: [] }),
    files: withPicture ? pictureField(card, title) : [],
    // Slack asks for the address when the pane is opened.
    preview: options.hasGallery ? { is_supported: true, mime_type: EMBED } : undefined,
  });
  return fitted(
    options.isLinked ? { ...entity, app_unfurl_url: postedAs } : entity,
    options.maxBytes ?? METADATA_BYTES_MAX,
  );
}

const EMBED = 'application/vnd.slack-embed';

/**
 * Everything that the service knows about the card, for the pane.
 *
 * @param galleryUrl the page with its images, if it is shown instead of them
 */
export function buildDetails(shown: Shown, galleryUrl: string | undefined): EntityMetadata {
  const { card, brandName, typeName, withPicture = true } = shown;
  const list = (values: string[]) => values.join(', ');
  const description = longText(htmlToText(card.descriptionHtml));
  const entity = entityOf(shown, {
    fields: {
      ...taskFields(shown),
      ...(description ? { description: { value: description, long: true } } : {}),
    },
    facts: [
      ...wordyDueDate(card),
      ...textField('type', WORK_OBJECT.type, typeName),
      ...textField('brand', WORK_OBJECT.brand, brandName),
      ...textField('product', WORK_OBJECT.product, card.productType),
      ...textField('sizes', WORK_OBJECT.sizes, card.dimensions, { long: true }),
      ...textField('formats', WORK_OBJECT.formats, card.fileFormats),
      ...textField('software', WORK_OBJECT.software, card.software),
      ...textField('labels', WORK_OBJECT.labels, list(card.labels)),
      ...textField('tags', WORK_OBJECT.tags, list(card.tags)),
      ...textField('wording', WORK_OBJECT.wording, htmlToText(card.textCopyHtml), { long: true }),
    ],
    files: fileFields(card, entityTitle(shown), {
      images: withPicture && galleryUrl === undefined,
    }),
    preview:
      galleryUrl === undefined
        ? undefined
        : { is_supported: true, mime_type: EMBED, preview_url: galleryUrl },
  });
  return fitted(entity, METADATA_BYTES_MAX);
}

const entityTitle = ({ card }: CardView): string =>
  shownText(titleOf(card)) ?? WORK_OBJECT.displayType;

function entityOf(
  shown: Shown,
  parts: {
    fields: TaskEntityFields;
    facts: EntityCustomField[];
    files: EntityCustomField[];
    preview: EntityFullSizePreview | undefined;
  },
): EntityMetadata {
  const { card, url, shownAt } = shown;
  const { fields, facts, files, preview } = parts;
  const title = entityTitle(shown);
  const id = shownText(card.id);
  const custom = [...ageOf(shown), ...facts, ...files];
  const order = orderOf(Object.keys(fields), custom);
  return {
    entity_type: TASK,
    url,
    external_ref: referenceTo(card.id),
    entity_payload: {
      attributes: {
        title: { text: title },
        display_type: WORK_OBJECT.displayType,
        ...(id === undefined ? {} : { display_id: id }),
        ...(preview ? { full_size_preview: preview } : {}),
        metadata_last_modified: Math.floor(shownAt.getTime() / 1_000),
      },
      fields,
      ...(custom.length > 0 ? { custom_fields: custom } : {}),
      ...(order.length > 0 ? { display_order: order } : {}),
      actions: actionsOf(shown, title),
    },
  };
}

/** Says how old a card is that isn't current, and why. */
function ageOf({ asOf, trouble }: Shown): EntityCustomField[] {
  const value = secondsOf(asOf);
  const label = WORK_OBJECT.asOf;
  return [
    ...(trouble ? textField('note', WORK_OBJECT.note, wordsForReadError(trouble)) : []),
    ...(value === undefined
      ? []
      : [{ key: 'as_of', label, type: 'slack#/types/timestamp', value }]),
  ];
}

/** What readers look for first; the rest in the order given. */
const FIRST = ['note', 'as_of', 'status', 'due_date', 'due', 'description'];
/** What they look for last. */
const LAST = ['created_by', 'date_created', 'date_updated', 'more'];

function orderOf(standard: string[], custom: EntityCustomField[]): string[] {
  const keys = [...standard, ...custom.map(({ key }) => key)];
  const first = FIRST.filter((key) => keys.includes(key));
  const files = custom.filter(({ key }) => isFile(key)).map(({ key }) => key);
  const last = LAST.filter((key) => keys.includes(key));
  const given = keys.filter((key) => key.startsWith('given') || key === 'files');
  const others = keys.filter((key) => ![...first, ...files, ...last, ...given].includes(key));
  return [...first, ...files, ...others, ...last, ...given];
}

/** Whether a field is a delivered file, or the picture of one. */
const isFile = (key: string) => key === 'preview' || key.startsWith('file_');

/** Leaves out fields from the end, files first and the description last, until the rest fits. */
function fitted(entity: EntityMetadata, maxBytes: number): EntityMetadata {
  if (Buffer.byteLength(JSON.stringify(entity)) <= maxBytes) return entity;
  const { custom_fields, display_order, fields, ...payload } = entity.entity_payload;
  const custom = custom_fields ?? [];
  const dropped = custom.at(-1)?.key ?? 'description';
  const order = display_order?.filter((key) => key !== dropped) ?? [];
  if (order.length === (display_order ?? []).length) return entity;
  const rest = custom.slice(0, -1);
  const kept = Object.entries(fields ?? {}).filter(([key]) => key !== dropped);
  const smaller = {
    ...payload,
    fields: Object.fromEntries(kept),
    ...(rest.length > 0 ? { custom_fields: rest } : {}),
    ...(order.length > 0 ? { display_order: order } : {}),
  };
  return fitted({ ...entity, entity_payload: smaller }, maxBytes);
}

type EntityActions = NonNullable<EntityMetadata['entity_payload']['actions']>;

/**
 * A card's buttons, which have the same handlers as those in Block Kit; one that is too long for Slack is left out.
 *
 * @param title as plain text
 */
function actionsOf(
  { card, url, moreLinks, isExternal, confirms }: CardView,
  title: string,
): EntityActions {
  const button = (text: string, action: Omit<EntityActionButton, 'text'>): EntityActionButton => ({
    text,
    accessibility_label: accessibilityLabel(text, title),
    ...action,
  });
  const open = button(WORK_OBJECT.open, { action_id: CARD_ACTIONS.open, url });
  // Slack would change this ID, so no button contains it.
  if (card.id === '' || typedText(card.id) !== card.id) return asActions([open], []);
  const shown = writeRefreshValue({ cardId: card.id, detail: 'small', moreLinks, isExternal });
  const refreshed =
    confirms === undefined
      ? { action_id: CARD_ACTIONS.refresh, value: shown }
      : { action_id: FORM_ACTIONS.refresh, value: confirms };
  const refresh = button(WORK_OBJECT.refresh, refreshed);
  const again = button(WORK_OBJECT.again, { action_id: CARD_ACTIONS.again, value: card.id });
  const watch = button(WATCHING.watch, { action_id: CARD_ACTIONS.watch, value: shown });
  return asActions([refresh, open], [watch, again]);
}

/** Slack refuses empty lists. */
function asActions(primary: EntityActionButton[], overflow: EntityActionButton[]): EntityActions {
  const primary_actions = primary.filter(isAccepted);
  const overflow_actions = overflow.filter(isAccepted);
  return {
    ...(primary_actions.length > 0 ? { primary_actions } : {}),
    ...(overflow_actions.length > 0 ? { overflow_actions } : {}),
  };
}

const isAccepted = ({ value, url }: EntityActionButton) =>
  (value ?? '').length <= BUTTON_VALUE_MAX && (url ?? '').length <= BUTTON_URL_MAX;

/** What Slack accepts in `external_ref.id`. Undocumented; a card's ID may contain anything else. */
const ACCEPTED = /^(?!=)[0-9a-zA-Z\-_:!/=]{1,255}$/;
/** Longest ID that is encoded so that it can be read back, in bytes. */
const ENCODED_MAX_BYTES = 180;
const ENCODED = /^=([\w-]+)$/;
const TYPE = 'card';

/**
 * The card's ID in Slack's form. It must never change for a card: by it, Slack finds other conversations about the
 * same card.
 */
export function referenceTo(cardId: string): EntityMetadata['external_ref'] {
  return { id: ACCEPTED.test(cardId) ? cardId : encoded(Buffer.from(cardId)), type: TYPE };
}

const encoded = (bytes: Buffer): string =>
  bytes.length <= ENCODED_MAX_BYTES
    ? `=${bytes.toString('base64url')}`
    : `==${createHash('sha256').update(bytes).digest('base64url')}`;

/** The card that a reference names; undefined if it isn't one of ours, or only a digest. */
export function cardIdIn(
  reference: { id: string; type?: string | undefined } | undefined,
): string | undefined {
  if (reference?.type !== TYPE || reference.id.startsWith('==')) return undefined;
  const bytes = ENCODED.exec(reference.id)?.[1];
  return bytes === undefined ? reference.id : Buffer.from(bytes, 'base64url').toString();
}
