import type { EntityCustomField } from '@slack/types';
import type { Card, CardFile } from '../../service/operations/read-card.ts';
import { deliveredFiles, filesOfRequest, nameWithRole } from '../card/card-files.ts';
import { imageUrlOf, pictureOf } from '../card/pictures.ts';
import { BUTTON_URL_MAX, clip } from '../text/limits.ts';
import { WORK_OBJECT } from '../words/work-object.ts';
import { shownLabel } from './text-fields.ts';

/** Files in the pane. Slack documents no limit. */
const FILES_SHOWN = 12;
const ALT_MAX = 250;

/** The newest image that was delivered, for the small form, or else the newest file. */
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
 * The card's files, those that were delivered first, the newest first: images as pictures, others as links if they have an address.
 *
 * @param shows whether the images are shown; the embedded page has them, too
 */
export function fileFields(
  card: Card,
  title: string,
  shows: { images: boolean },
): EntityCustomField[] {
  const newestFirst = [
    ...deliveredFiles(card)
      .toReversed()
      .map((file) => ({ file, key: 'file' })),
    ...filesOfRequest(card)
      .toReversed()
      .map((file) => ({ file, key: 'given' })),
  ];
  const fields = newestFirst.flatMap(({ file, key }, index) =>
    fieldOf(file, { title, key: `${key}_${index + 1}`, ...shows }),
  );
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
