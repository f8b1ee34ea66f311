import { type DesignRequest, filesOf } from '../../requests/request.ts';
import type { Card, CardFile } from '../../service/operations/card.ts';
import { matchAttached } from '../../watching/snapshot.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { clip, wellFormed } from '../text/limits.ts';
import { CARD_FILES } from '../words/card.ts';

/** What a file is for. `type` isn't documented (API reference, 2.4): words like a request's file fields count. */
export function roleOf({ type = '', isAttached }: CardFile) {
  const word = type.toLowerCase().replaceAll(/[^a-z]/g, '');
  // Not “preference”.
  if (/^ref|[^p]reference/.test(word)) return 'reference';
  if (/^additional|attachment/.test(word)) return 'additional';
  if (/textcopy|copytext|^copy$|^wording/.test(word)) return 'textCopy';
  return isAttached ? 'reference' : 'delivered';
}

const isDelivered = (file: CardFile) => roleOf(file) === 'delivered';

export const deliveredFiles = ({ files }: Pick<Card, 'files'>): CardFile[] =>
  files.filter(isDelivered);
export const filesOfRequest = ({ files }: Pick<Card, 'files'>): CardFile[] =>
  files.filter((file) => !isDelivered(file));

/** Marks the files that the card's request attached, in case the service doesn't say which they are. */
export function markRequestFiles(card: Card, form: DesignRequest['form'] | undefined): Card {
  if (!form) return card;
  const attached = filesOf(form).map(({ name }) => name);
  const { missing } = matchAttached(attached, filesOfRequest(card));
  if (missing.length === 0) return card;
  const { others } = matchAttached(missing, deliveredFiles(card));
  const files = card.files.map((file) =>
    isDelivered(file) && !others.includes(file) ? { ...file, isAttached: true } : file,
  );
  return { ...card, files };
}

/** Such as “brief.pdf (reference)”. */
export function nameWithRole(file: CardFile): string {
  const role = roleOf(file);
  return role === 'delivered' ? file.name : `${file.name} (${CARD_FILES.roles[role]})`;
}

const NAME_CHARS = 120;
/** Leaves room for other text in a section or context, for which Slack allows 3,000. In characters. */
const LINKS_MAX = 1_800;

/** The names of at most `most` files, the newest first, each with a link to the whole file. */
export function fileLinks(
  files: readonly CardFile[],
  most: number,
  name = (file: CardFile) => file.name,
): string {
  const shown: string[] = [];
  let left = LINKS_MAX;
  for (const file of files.toReversed().slice(0, most)) {
    const label = clip(wellFormed(name(file)), NAME_CHARS);
    const link = file.urls.full ? escapedLink(file.urls.full, label) : escapeMrkdwn(label);
    const text = link.length <= left ? link : escapeMrkdwn(label);
    left -= text.length;
    if (left < 0) break;
    shown.push(text);
  }
  const more = files.length - shown.length;
  return [...shown, ...(more > 0 ? [CARD_FILES.more(more)] : [])].join(', ');
}

/** What Slack's image block shows (docs.slack.dev/reference/block-kit/blocks/image-block). */
const IMAGE_EXTENSIONS = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp']);
/** Longest image URL that Slack accepts, in characters. */
const IMAGE_URL_MAX = 3_000;

/** The card's picture: the last image that was delivered, since files have no date. */
export function pictureOf(card: Card, size: ImageSize = 'preview') {
  const file = deliveredFiles(card).findLast(isImage);
  const url = file && imageUrlOf(file, size);
  return url ? { url, name: file.name } : undefined;
}

const isImage = ({ ext }: CardFile) => ext !== undefined && IMAGE_EXTENSIONS.has(ext);

type ImageSize = 'preview' | 'thumbnail';

export function imageUrlOf(file: CardFile, size: ImageSize = 'preview'): string | undefined {
  if (!isImage(file)) return undefined;
  const { large, medium, full, small } = file.urls;
  const wanted = size === 'preview' ? [large, medium, full, small] : [medium, small, large, full];
  return wanted.find((one) => one && one.length <= IMAGE_URL_MAX);
}
