import { createHash } from 'node:crypto';
import type { EntityActionButton, EntityCustomField, EntityMetadata } from '@slack/types';
import type { Card, CardFile } from '../../service/operations/card.ts';
import type { DueDate } from '../../service/operations/loose-values.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import { accessibilityLabel } from '../text/blocks.ts';
import { htmlToText } from '../text/html-lines.ts';
import { BUTTON_URL_MAX, clip, isBlank, wellFormed } from '../text/limits.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { wordsForServiceError } from '../words/errors.ts';
import { WORK_OBJECT } from '../words/work-object.ts';
import {
  deliveredFiles,
  filesOfRequest,
  imageUrlOf,
  nameWithRole,
  pictureOf,
} from './card-files.ts';
import { tagColor, titleOf } from './card-text.ts';
import type { CardView } from './card-view.ts';
import { CARD_ACTIONS, writeRefreshValue } from './menu.ts';

/** EntityType.Task, without loading the package for it. */
const TASK = 'slack#/entities/task';
/** Our limit for the metadata of one call, in bytes of JSON. Slack has a limit, too, and doesn't document it. */
export const METADATA_BYTES_MAX = 15_000;

const EMBED = 'application/vnd.slack-embed';
const TIMESTAMP = 'slack#/types/timestamp';

/** Slack documents no limits for texts; longer ones would fill the pane. In characters. */
const SHORT_CHARS = 250;
const LONG_CHARS = 2_500;
const LABEL_CHARS = 100;
const ALT_MAX = 250;
/** Files in the pane. Slack documents no limit. */
const FILES_SHOWN = 12;
/** The last second that fits into the ten digits of a Unix time. */
const LAST_SECOND = 9_999_999_999;

/** Slack's standard fields of a task that cards have. */
const STANDARD: ReadonlySet<string> = new Set([
  'status',
  'due_date',
  'description',
  'created_by',
  'date_created',
  'date_updated',
]);

/** A standard field, or one of our own. Undefined if the card doesn't have it. */
type Field = (Partial<EntityCustomField> & { key: string }) | undefined;

/** Under a link or in our message; `hasGallery` if the pane shows the page of images. */
export function buildEntity(view: CardView, hasGallery: boolean, maxBytes = METADATA_BYTES_MAX) {
  const { card, brandName, typeName, moreLinks, confirms, withPicture = true } = view;
  const picture = withPicture ? pictureField(card) : undefined;
  const fields = [
    ...statusAndDue(card),
    picture,
    textField('brand', WORK_OBJECT.brand, brandName),
    textField('type', WORK_OBJECT.type, typeName),
    ...historyOf(view),
    moreLinks ? textField('more', WORK_OBJECT.more, CARD.moreLinks(moreLinks)) : undefined,
  ];
  // Slack asks for the gallery's address when the pane is opened.
  return entityOf(view, confirms === undefined ? fields : [picture], hasGallery && {}, maxBytes);
}

/** All that is known about the card, for the pane; the page at `galleryUrl` replaces its images. */
export function buildDetails(view: CardView, galleryUrl: string | undefined): EntityMetadata {
  const { card, brandName, typeName, withPicture = true } = view;
  const description = shownText(htmlToText(card.descriptionHtml), LONG_CHARS);
  const wording = htmlToText(card.textCopyHtml);
  const { delivered, others } = fileFields(card, withPicture && galleryUrl === undefined);
  const fields = [
    ...statusAndDue(card),
    description === undefined ? undefined : { key: 'description', value: description, long: true },
    ...delivered,
    textField('type', WORK_OBJECT.type, typeName),
    textField('brand', WORK_OBJECT.brand, brandName),
    textField('product', WORK_OBJECT.product, card.productType),
    textField('sizes', WORK_OBJECT.dimensions, card.dimensions, { long: true }),
    textField('formats', WORK_OBJECT.formats, card.fileFormats),
    textField('software', WORK_OBJECT.software, card.software),
    textField('labels', WORK_OBJECT.labels, card.labels.join(', ')),
    textField('tags', WORK_OBJECT.tags, card.tags.join(', ')),
    textField('wording', WORK_OBJECT.wording, wording, { long: true }),
    ...historyOf(view),
    ...others,
  ];
  return entityOf(view, fields, galleryUrl !== undefined && { preview_url: galleryUrl });
}

const entityTitle = (card: Card): string => shownText(titleOf(card)) ?? WORK_OBJECT.displayType;

const isFile = ({ key }: { key: string }) => /^(?:preview$|files$|file_|given_)/.test(key);
const isStandard = ({ key }: { key: string }) => STANDARD.has(key);

/** Leaves out fields from the end, files first and the description last, until the rest fits. */
function entityOf(
  view: CardView,
  fields: readonly Field[],
  gallery: { preview_url?: string } | false,
  maxBytes = METADATA_BYTES_MAX,
): EntityMetadata {
  const { card, url, postedAs, shownAt, asOf, readError } = view;
  const title = entityTitle(card);
  const id = shownText(card.id);
  const shown = [
    // How old a card is that isn't current, and why.
    readError && textField('note', WORK_OBJECT.note, wordsForServiceError(readError)),
    momentField('as_of', WORK_OBJECT.asOf, asOf, { type: TIMESTAMP }),
    ...fields,
  ].filter((field) => field !== undefined);
  const built = (): EntityMetadata => {
    const custom = shown.filter((field) => !isStandard(field)) as EntityCustomField[];
    const standard = shown.filter(isStandard).map(({ key, ...field }) => [key, field]);
    return {
      entity_type: TASK,
      url,
      external_ref: referenceTo(card.id),
      ...(postedAs === undefined ? {} : { app_unfurl_url: postedAs }),
      entity_payload: {
        attributes: {
          title: { text: title },
          display_type: WORK_OBJECT.displayType,
          ...(id === undefined ? {} : { display_id: id }),
          ...(gallery
            ? { full_size_preview: { is_supported: true, mime_type: EMBED, ...gallery } }
            : {}),
          metadata_last_modified: Math.floor(shownAt.getTime() / 1_000),
        },
        fields: Object.fromEntries(standard),
        // Slack refuses empty lists.
        ...(custom.length > 0 ? { custom_fields: custom } : {}),
        ...(shown.length > 0 ? { display_order: shown.map(({ key }) => key) } : {}),
        actions: actionsOf(view, title),
      },
    };
  };
  while (Buffer.byteLength(JSON.stringify(built())) > maxBytes) {
    const last =
      shown.findLast(isFile) ??
      shown.findLast((field) => !isStandard(field)) ??
      shown.find(({ key }) => key === 'description');
    if (!last) break;
    shown.splice(shown.indexOf(last), 1);
  }
  return built();
}

/** Text that is inert even if Slack looks for mentions and links in it; undefined if blank. */
function shownText(text = '', most = SHORT_CHARS): string | undefined {
  const shown = wellFormed(text).trim();
  // A word joiner is invisible. Slack's sequences begin with "<" and one of these.
  const inert = shown.replaceAll(/<(?=[!@#/\w])/g, '<\u2060');
  return isBlank(shown) ? undefined : clip(inert, most);
}

function textField(key: string, label: string, text: string | undefined, { long = false } = {}) {
  const value = shownText(text, long ? LONG_CHARS : SHORT_CHARS);
  if (value === undefined) return undefined;
  return { key, label, type: 'string', value, ...(long ? { long } : {}) };
}

function statusAndDue({ status, dueDate }: Card): Field[] {
  const value = shownText(status?.name);
  const label = WORK_OBJECT.status;
  const tag_color = tagColor(status?.color);
  return [
    value === undefined ? undefined : { key: 'status', label, value, tag_color },
    dueDate && dueField(dueDate),
  ];
}

function dueField({ date, day, isWholeDay, isNeededBy, text }: DueDate): Field {
  const key = 'due_date';
  const label = isNeededBy ? WORK_OBJECT.neededBy : WORK_OBJECT.due;
  // Without a time, it is the same day in every time zone.
  if (isWholeDay && day !== undefined) return { key, label, type: 'slack#/types/date', value: day };
  const moment = momentField(key, label, date, { type: TIMESTAMP });
  // Or else as the service wrote it.
  return moment ?? textField('due', WORK_OBJECT.due, text);
}

const EMAIL = /^[^\s@<>]{1,100}@[^\s@<>]{1,100}$/;

function historyOf({ card, requesterName }: CardView): Field[] {
  const text = shownText(requesterName ?? card.createdBy);
  const requester = { key: 'created_by', label: WORK_OBJECT.requester, type: 'slack#/types/user' };
  return [
    // With an email address, Slack shows the person who has it.
    text === undefined
      ? undefined
      : { ...requester, user: { text, ...(EMAIL.test(text) ? { email: text } : {}) } },
    momentField('date_created', WORK_OBJECT.created, card.createdAt),
    momentField('date_updated', WORK_OBJECT.updated, card.updatedAt),
  ];
}

/** Undefined for a time that Slack can't show. */
function momentField(key: string, label: string, date: Date | undefined, more = {}): Field {
  const value = date ? Math.floor(date.getTime() / 1_000) : Number.NaN;
  return value >= 0 && value <= LAST_SECOND ? { key, label, value, ...more } : undefined;
}

/** For the small form, the newest image that was delivered, or else the newest file. */
function pictureField(card: Card): Field {
  const picture = pictureOf(card);
  const newest = deliveredFiles(card).at(-1);
  if (!picture) return newest && fileField(card, newest, 'file_1', false);
  return imageField(card, picture.url, 'preview', picture.name, WORK_OBJECT.preview);
}

/** The newest first. No images if the embedded page shows them, or Slack can't fetch them. */
function fileFields(card: Card, images: boolean) {
  const delivered = deliveredFiles(card).toReversed();
  const given = filesOfRequest(card).toReversed();
  const fields = [...delivered, ...given]
    .map((file, index) => {
      const key = `${index < delivered.length ? 'file' : 'given'}_${index + 1}`;
      return fileField(card, file, key, images);
    })
    .filter((field) => field !== undefined);
  const left = fields.length - FILES_SHOWN;
  const rest =
    left > 0 ? textField('files', WORK_OBJECT.files, WORK_OBJECT.moreFiles(left)) : undefined;
  const shown = fields.slice(0, FILES_SHOWN);
  return {
    delivered: shown.filter(({ key }) => key.startsWith('file_')),
    others: [...shown.filter(({ key }) => key.startsWith('given_')), rest],
  };
}

function fileField(card: Card, file: CardFile, key: string, images: boolean) {
  const label = shownLabel(nameWithRole(file), key);
  const imageUrl = imageUrlOf(file);
  if (imageUrl !== undefined) return images ? imageField(card, imageUrl, key, label) : undefined;
  const { full } = file.urls;
  return full && full.length <= BUTTON_URL_MAX
    ? { key, label, type: 'slack#/types/link', value: full }
    : { key, label, type: 'string', value: WORK_OBJECT.fileElsewhere };
}

function imageField(card: Card, image_url: string, key: string, name: string, label = name) {
  const alt = WORK_OBJECT.imageAlt(shownLabel(name, key), entityTitle(card));
  return { key, label, type: 'slack#/types/image', image_url, alt_text: clip(alt, ALT_MAX) };
}

const shownLabel = (text: string, otherwise: string): string =>
  shownText(text.replaceAll(/\s+/g, ' '), LABEL_CHARS) ?? otherwise;

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
