import type { EntityCustomField, EntityTypedField, TaskEntityFields } from '@slack/types';
import type { Card, CardFile } from '../../service/operations/card.ts';
import { BUTTON_URL_MAX, clip, isBlank, wellFormed } from '../text/limits.ts';
import { WORK_OBJECT } from '../words/work-object.ts';
import {
  deliveredFiles,
  filesOfRequest,
  imageUrlOf,
  nameWithRole,
  pictureOf,
} from './card-files.ts';
import { tagColor } from './card-text.ts';
import type { CardFacts } from './card-view.ts';

/** Slack documents no limits for texts; longer ones would fill the pane. In characters. */
const SHORT_CHARS = 250;
const LONG_CHARS = 2_500;
const LABEL_CHARS = 100;

/** Text that is inert even if Slack looks for mentions and links in it; undefined if blank. */
export function shownText(text: string | undefined, most = SHORT_CHARS): string | undefined {
  const shown = text === undefined ? '' : wellFormed(text).trim();
  return isBlank(shown) ? undefined : clip(inert(shown), most);
}

export const longText = (text: string): string | undefined => shownText(text, LONG_CHARS);

/** A word joiner is invisible. Slack's sequences begin with "<" and one of these. */
const inert = (text: string) => text.replaceAll(/<(?=[!@#/\w])/g, '<\u2060');

/** A field of text; none if it is blank. */
export function textField(
  key: string,
  label: string,
  text: string | undefined,
  { long = false } = {},
): EntityCustomField[] {
  const value = shownText(text, long ? LONG_CHARS : SHORT_CHARS);
  if (value === undefined) return [];
  return [{ key, label, type: 'string', value, ...(long ? { long } : {}) }];
}

/** A label that the service wrote, such as a file's name. */
const shownLabel = (text: string, otherwise: string): string =>
  shownText(text.replaceAll(/\s+/g, ' '), LABEL_CHARS) ?? otherwise;

/** The last second that fits into the ten digits of a Unix time. */
const LAST_SECOND = 9_999_999_999;

/** Slack's standard fields of a task, as far as the card has them. */
export function taskFields({
  card,
  requesterName,
}: Pick<CardFacts, 'card' | 'requesterName'>): TaskEntityFields {
  const status = shownText(card.status?.name);
  return withoutBlanks({
    status: status && {
      label: WORK_OBJECT.status,
      value: status,
      tag_color: tagColor(card.status?.color),
    },
    due_date: dueField(card),
    created_by: requesterOf(requesterName ?? card.createdBy),
    date_created: momentOf(card.createdAt, WORK_OBJECT.created),
    date_updated: momentOf(card.updatedAt, WORK_OBJECT.updated),
  });
}

/** A due date that isn't a date, as the service wrote it. */
export function wordyDueDate(card: Card): EntityCustomField[] {
  return dueField(card) ? [] : textField('due', WORK_OBJECT.due, card.dueDate?.text);
}

function dueField({ dueDate }: Card): EntityTypedField | undefined {
  if (!dueDate) return undefined;
  const { date, day, isWholeDay, isNeededBy } = dueDate;
  const label = isNeededBy ? WORK_OBJECT.neededBy : WORK_OBJECT.due;
  // Without a time, it is the same day in every time zone.
  if (isWholeDay && day !== undefined) return { label, type: 'slack#/types/date', value: day };
  const value = secondsOf(date);
  return value === undefined ? undefined : { label, type: 'slack#/types/timestamp', value };
}

const EMAIL = /^[^\s@<>]{1,100}@[^\s@<>]{1,100}$/;

/** With an email address, Slack shows the person who has it. */
function requesterOf(requester: string | undefined): EntityTypedField | undefined {
  const name = shownText(requester);
  if (name === undefined) return undefined;
  const user = { text: name, ...(EMAIL.test(name) ? { email: name } : {}) };
  return { label: WORK_OBJECT.requester, type: 'slack#/types/user', user };
}

const momentOf = (date: Date | undefined, label: string) => {
  const value = secondsOf(date);
  return value === undefined ? undefined : { label, value };
};

/** Unix seconds; undefined for a time that Slack can't show. */
export function secondsOf(date: Date | undefined): number | undefined {
  const seconds = date ? Math.floor(date.getTime() / 1_000) : Number.NaN;
  return seconds >= 0 && seconds <= LAST_SECOND ? seconds : undefined;
}

function withoutBlanks(
  fields: {
    [Key in keyof TaskEntityFields]: TaskEntityFields[Key] | '' | undefined;
  },
): TaskEntityFields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => Boolean(field)));
}

/** Files in the pane. Slack documents no limit. */
const FILES_SHOWN = 12;
const ALT_MAX = 250;

/** For the small form, the newest image that was delivered, or else the newest file. */
export function pictureField(card: Card, title: string): EntityCustomField[] {
  const picture = pictureOf(card);
  if (!picture) {
    const newest = deliveredFiles(card).slice(-1);
    return newest.flatMap((file) => fieldOf(file, { title, key: 'file_1', images: false }));
  }
  const { url, name } = picture;
  return [imageField('preview', { label: WORK_OBJECT.preview, name, title, url })];
}

/**
 * Delivered files first, and the newest first: images as pictures, others as links if possible.
 *
 * @param shows.images false if the embedded page shows them, or Slack can't fetch them
 */
export function fileFields(card: Card, title: string, shows: { images: boolean }) {
  const delivered = deliveredFiles(card).toReversed();
  const given = filesOfRequest(card).toReversed();
  const fields = [...delivered, ...given].flatMap((file, index) => {
    const kind = index < delivered.length ? 'file' : 'given';
    return fieldOf(file, { title, key: `${kind}_${index + 1}`, ...shows });
  });
  if (fields.length <= FILES_SHOWN) return fields;
  const value = WORK_OBJECT.moreFiles(fields.length - FILES_SHOWN);
  const rest: EntityCustomField = { key: 'files', label: WORK_OBJECT.files, type: 'string', value };
  return [...fields.slice(0, FILES_SHOWN), rest];
}

function fieldOf(
  file: CardFile,
  { title, key, images }: { title: string; key: string; images: boolean },
): EntityCustomField[] {
  const label = shownLabel(nameWithRole(file), key);
  const imageUrl = imageUrlOf(file);
  if (imageUrl !== undefined) {
    return images ? [imageField(key, { label, name: label, title, url: imageUrl })] : [];
  }
  const url = file.urls.full;
  const isLink = url !== undefined && url.length <= BUTTON_URL_MAX;
  return isLink
    ? [{ key, label, type: 'slack#/types/link', value: url }]
    : [{ key, label, type: 'string', value: WORK_OBJECT.fileElsewhere }];
}

const imageField = (
  key: string,
  { label, name, title, url }: { label: string; name: string; title: string; url: string },
): EntityCustomField => ({
  key,
  label,
  type: 'slack#/types/image',
  image_url: url,
  alt_text: clip(WORK_OBJECT.imageAlt(shownLabel(name, key), title), ALT_MAX),
});
