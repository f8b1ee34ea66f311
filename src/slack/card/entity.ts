import { createHash } from 'node:crypto';
import type {
  EntityActionButton,
  EntityCustomField,
  EntityFullSizePreview,
  EntityMetadata,
  TaskEntityFields,
} from '@slack/types';
import type { Card } from '../../service/operations/card.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import { accessibilityLabel } from '../text/blocks.ts';
import { htmlToText } from '../text/html-lines.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { wordsForServiceError } from '../words/errors.ts';
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

const EMBED = 'application/vnd.slack-embed';

/** Under a link or in our message; `hasGallery` if the pane shows the page of images. */
export function buildEntity(view: CardView, hasGallery: boolean, maxBytes = METADATA_BYTES_MAX) {
  const { card, brandName, typeName, moreLinks, confirms, withPicture = true } = view;
  const isConfirmation = confirms !== undefined;
  return entityOf(view, {
    fields: isConfirmation ? {} : taskFields(view),
    facts: isConfirmation
      ? []
      : [
          ...wordyDueDate(card),
          ...textField('brand', WORK_OBJECT.brand, brandName),
          ...textField('type', WORK_OBJECT.type, typeName),
          ...(moreLinks ? textField('more', WORK_OBJECT.more, CARD.moreLinks(moreLinks)) : []),
        ],
    files: withPicture ? pictureField(card, entityTitle(card)) : [],
    // Slack asks for the address when the pane is opened.
    preview: hasGallery ? { is_supported: true, mime_type: EMBED } : undefined,
    maxBytes,
  });
}

/** All that is known about the card, for the pane; the page at `galleryUrl` replaces its images. */
export function buildDetails(view: CardView, galleryUrl: string | undefined): EntityMetadata {
  const { card, brandName, typeName, withPicture = true } = view;
  const description = longText(htmlToText(card.descriptionHtml));
  return entityOf(view, {
    fields: {
      ...taskFields(view),
      ...(description ? { description: { value: description, long: true } } : {}),
    },
    facts: [
      ...wordyDueDate(card),
      ...textField('type', WORK_OBJECT.type, typeName),
      ...textField('brand', WORK_OBJECT.brand, brandName),
      ...textField('product', WORK_OBJECT.product, card.productType),
      ...textField('sizes', WORK_OBJECT.dimensions, card.dimensions, { long: true }),
      ...textField('formats', WORK_OBJECT.formats, card.fileFormats),
      ...textField('software', WORK_OBJECT.software, card.software),
      ...textField('labels', WORK_OBJECT.labels, card.labels.join(', ')),
      ...textField('tags', WORK_OBJECT.tags, card.tags.join(', ')),
      ...textField('wording', WORK_OBJECT.wording, htmlToText(card.textCopyHtml), { long: true }),
    ],
    files: fileFields(card, entityTitle(card), {
      images: withPicture && galleryUrl === undefined,
    }),
    preview: galleryUrl
      ? { is_supported: true, mime_type: EMBED, preview_url: galleryUrl }
      : undefined,
    maxBytes: METADATA_BYTES_MAX,
  });
}

const entityTitle = (card: Card): string => shownText(titleOf(card)) ?? WORK_OBJECT.displayType;

/** Leaves out fields from the end, files first and the description last, until the rest fits. */
function entityOf(
  view: CardView,
  parts: {
    fields: TaskEntityFields;
    facts: EntityCustomField[];
    files: EntityCustomField[];
    preview: EntityFullSizePreview | undefined;
    maxBytes: number;
  },
): EntityMetadata {
  const { card, url, postedAs, shownAt } = view;
  const { facts, files, preview, maxBytes } = parts;
  const title = entityTitle(card);
  const id = shownText(card.id);
  const fields = { ...parts.fields };
  const custom = [...ageOf(view), ...facts, ...files];
  const built = (): EntityMetadata => ({
    entity_type: TASK,
    url,
    external_ref: referenceTo(card.id),
    ...(postedAs === undefined ? {} : { app_unfurl_url: postedAs }),
    entity_payload: {
      attributes: {
        title: { text: title },
        display_type: WORK_OBJECT.displayType,
        ...(id === undefined ? {} : { display_id: id }),
        ...(preview ? { full_size_preview: preview } : {}),
        metadata_last_modified: Math.floor(shownAt.getTime() / 1_000),
      },
      fields,
      ...inOrder(Object.keys(fields), custom),
      actions: actionsOf(view, title),
    },
  });
  while (Buffer.byteLength(JSON.stringify(built())) > maxBytes) {
    if (custom.pop()) continue;
    if (!fields.description) break;
    delete fields.description;
  }
  return built();
}

/** Says how old a card is that isn't current, and why. */
function ageOf({ asOf, readError }: CardView): EntityCustomField[] {
  const value = secondsOf(asOf);
  const label = WORK_OBJECT.asOf;
  return [
    ...(readError ? textField('note', WORK_OBJECT.note, wordsForServiceError(readError)) : []),
    ...(value === undefined
      ? []
      : [{ key: 'as_of', label, type: 'slack#/types/timestamp', value }]),
  ];
}

/** Keys without their numbers, in the order shown; those that aren't listed count as `others`. */
const ORDER = [
  ...['note', 'as_of', 'status', 'due_date', 'due', 'description', 'preview', 'file_', 'others'],
  ...['created_by', 'date_created', 'date_updated', 'more', 'given_', 'files'],
];

function placeOf(key: string): number {
  const place = ORDER.indexOf(key.replace(/_\d+$/, '_'));
  return place < 0 ? ORDER.indexOf('others') : place;
}

/** Slack refuses empty lists. */
function inOrder(standard: string[], custom: EntityCustomField[]) {
  const keys = [...standard, ...custom.map(({ key }) => key)];
  const display_order = keys.toSorted((one, other) => placeOf(one) - placeOf(other));
  return {
    ...(custom.length > 0 ? { custom_fields: custom } : {}),
    ...(display_order.length > 0 ? { display_order } : {}),
  };
}

/** A card's buttons, which have the same handlers as those in Block Kit. */
function actionsOf({ card, url, moreLinks, isExternal, confirms }: CardView, title: string) {
  const button = (text: string, action: Omit<EntityActionButton, 'text'>): EntityActionButton => ({
    text,
    accessibility_label: accessibilityLabel(text, title),
    ...action,
  });
  const shown = writeRefreshValue({ cardId: card.id, detail: 'small', moreLinks, isExternal });
  const refreshed = confirms
    ? { action_id: FORM_ACTIONS.refresh, value: confirms }
    : { action_id: CARD_ACTIONS.refresh, value: shown };
  return {
    primary_actions: [
      button(WORK_OBJECT.refresh, refreshed),
      button(WORK_OBJECT.open, { action_id: CARD_ACTIONS.open, url }),
    ],
    overflow_actions: [
      button(WATCHING.watch, { action_id: CARD_ACTIONS.watch, value: shown }),
      button(WORK_OBJECT.again, { action_id: CARD_ACTIONS.again, value: card.id }),
    ],
  };
}

/** What Slack accepts in `external_ref.id`. Undocumented; a card's ID may contain anything else. */
const ACCEPTED = /^(?!=)[0-9a-zA-Z\-_:!/=]{1,255}$/;
const TYPE = 'card';

/**
 * The card's ID in Slack's form, or a digest of it. It must never change for a card: by it, Slack finds other
 * conversations about the same card.
 */
export function referenceTo(cardId: string): EntityMetadata['external_ref'] {
  const digest = () => `=${createHash('sha256').update(cardId).digest('base64url')}`;
  return { id: ACCEPTED.test(cardId) ? cardId : digest(), type: TYPE };
}

/** The card that a reference names; undefined if it isn't one of ours, or only a digest. */
export const cardIdIn = (reference: { id: string; type?: string | undefined } | undefined) =>
  reference?.type === TYPE && !reference.id.startsWith('=') ? reference.id : undefined;
