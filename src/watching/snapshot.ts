import { createHash } from 'node:crypto';
import { z } from 'zod';
import { nameInUrl } from '../files/file-links.ts';
import { type Card, type CardFile, MAX_CARD_FILES } from '../service/operations/card.ts';
import { isDone } from './finished.ts';

/** Kept to notice changes: little of a card's content, and no text that people wrote. */
type Snapshot = z.infer<typeof snapshot>;

const snapshot = z.object({
  status: z.string().optional(),
  due: z.string().optional(),
  /** Identify its files. */
  files: z.array(z.string()),
  /** Identifies the rest of what is shown of a card. */
  rest: z.string(),
  /** Identifies its title, which is part of the rest, too. */
  title: z.string(),
  /** Identifies what only large previews and panes show. */
  details: z.string(),
  /** Identifies the card, in case another account's key shows another one under the same ID. */
  origin: z.string(),
  /** The names of the files that its author attached, until they appear among the card's. */
  attached: z.array(z.string()).optional(),
});

/** What to tell the watchers of a card. `to` is undefined if it has no status or due date any more. */
export const cardChanges = z.object({
  status: z.object({ from: z.string().optional(), to: z.string().optional() }).optional(),
  /** Identify the new files. */
  files: z.array(z.string()).optional(),
  due: z.object({ to: z.string().optional() }).optional(),
  /** Whether the new status says that the work is done, rather than going on or called off. */
  isFinished: z.boolean().optional(),
});
export type CardChanges = z.infer<typeof cardChanges>;

/** What is known of a card before it is read: that it was created here, with those files. */
const created = z.strictObject({ attached: z.array(z.string()) });

/** @returns undefined if the card was read since, or wasn't created here */
export const readCreatedSnapshot = (stored: object | undefined) => created.safeParse(stored).data;

/** @returns undefined if another version of the app wrote it in another way */
export const readSnapshot = (stored: object | undefined): Snapshot | undefined =>
  snapshot.safeParse(stored).data;

/** @param attached the names of files that its author attached, and that aren't news */
export function snapshotOf(card: Card, attached: readonly string[] = []): Snapshot {
  const { title, descriptionHtml, requestType, productType, brand, createdAt, createdBy } = card;
  const { dimensions, fileFormats, software, labels, tags, textCopyHtml } = card;
  return {
    status: card.status?.name,
    due: card.dueDate?.isNeededBy ? undefined : card.dueDate?.text,
    files: card.files.map(fileKey),
    rest: digest([title, descriptionHtml, requestType, productType, brand, card.status?.color]),
    title: digest(title),
    details: digest([dimensions, fileFormats, software, labels, tags, textCopyHtml]),
    origin: digest([createdAt?.getTime(), createdBy]),
    ...(attached.length > 0 ? { attached: [...attached] } : {}),
  };
}

/**
 * @returns the new snapshot, and what to announce: without `changes`, messages that show the card are
 *   only redrawn. Undefined if nothing changed
 */
export function compare(before: Snapshot, card: Card) {
  const { added, attached } = newFiles(before, card);
  const after = { ...snapshotOf(card), ...(attached.length > 0 ? { attached } : {}) };
  if (digest(without(after)) === digest(without(before))) return undefined;
  const hasNewStatus = after.status !== before.status;
  const changes: CardChanges = {
    ...(hasNewStatus ? { status: { from: before.status, to: after.status } } : {}),
    ...(added.length > 0 ? { files: added } : {}),
    ...(after.due === before.due ? {} : { due: { to: after.due } }),
    ...(hasNewStatus && isDone(after.status) ? { isFinished: true } : {}),
  };
  const isNews = Object.keys(changes).length > 0;
  return { after, ...(isNews ? { changes } : {}) };
}

/** Whether this isn't the card that is watched: both its creation and its title differ. */
export const isAnotherCard = (before: Snapshot, card: Card): boolean => {
  const { origin, title } = snapshotOf(card);
  return origin !== before.origin && title !== before.title;
};

/** The files that `CardChanges` identifies by these keys: of several with the same, the last ones. */
export function filesAmong(card: Card, keys: readonly string[] = []): CardFile[] {
  const left = [...keys];
  const found = card.files.toReversed().filter((file) => take(left, fileKey(file)));
  return found.toReversed();
}

/** A file that the author attached isn't new, but each name accounts for only one file. */
function newFiles(before: Snapshot, card: Card): { added: string[]; attached: string[] } {
  const unknown = unknownFiles(before.files, card.files);
  const { others, missing } = matchAttached(before.attached ?? [], unknown);
  return { added: others.map(fileKey), attached: missing };
}

/** Past the most that a snapshot keeps, removing a newer file reveals an older one: not news. */
function unknownFiles(before: readonly string[], files: readonly CardFile[]): CardFile[] {
  const left = [...before];
  const isKnown = files.map((file) => take(left, fileKey(file)));
  const oldest = before.length < MAX_CARD_FILES ? 0 : Math.max(0, isKnown.indexOf(true));
  return files.filter((_, index) => index >= oldest && !isKnown[index]);
}

/** Removes one of several equal elements. @returns whether there was one */
function take<One>(from: One[], one: One): boolean {
  const at = from.indexOf(one);
  if (at >= 0) from.splice(at, 1);
  return at >= 0;
}

/**
 * The service may know an attached file by the name in its URL, with or without the extension.
 *
 * @param attached names as in Slack
 * @returns the names that aren't among the card's files yet, and the files that weren't attached
 */
export function matchAttached(attached: readonly string[], files: readonly CardFile[]) {
  const missing = [...attached];
  const others = files.filter(({ name, ext }) => {
    const names = [name, `${name}.${ext}`].map(comparable);
    const found = missing.find((one) => names.includes(comparable(one)));
    return found === undefined || !take(missing, found);
  });
  return { missing, others };
}

const comparable = (name: string) => nameInUrl(name).toLowerCase();

/** By its ID, not its URLs, which may be signed anew for each answer. */
const fileKey = ({ id, name, ext, type }: CardFile) => digest(id ?? [name, ext, type]);

const without = ({ attached: _, origin: __, title: ___, ...rest }: Snapshot) => rest;

const DIGEST_CHARS = 16;
const digest = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, DIGEST_CHARS);
