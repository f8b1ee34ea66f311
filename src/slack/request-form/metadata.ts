import { z } from 'zod';
import type { FormDraft } from '../../requests/request.ts';
import { clip, PRIVATE_METADATA_MAX } from '../text/limits.ts';
import { type EarlierChoices, earlierChoices } from './earlier-choices.ts';

const formAdmin = z.union([
  z.literal('reader'),
  z.object({ userId: z.string(), name: z.string().optional() }),
]);

/** Stored in the form's `private_metadata`. */
export const formMetadata = z.object({
  /** While the workspace isn't connected: whom its opener can ask. */
  admin: formAdmin.optional(),
  /** The ID of the future request, so that submitting a form twice creates one request. */
  formId: z.string().min(1).max(64),
  /** Who fills it in. */
  userId: z.string().optional(),
  /** The channel of the command that opened it first. */
  channelId: z.string().optional(),
  /** Where the confirmation is to be posted, as the form was drawn. */
  shareIn: z.string().optional(),
  /** A conversation in which the app can't post. */
  noPostsIn: z.string().optional(),
  /** The text after the command, until the form is drawn. */
  typed: z.string().optional(),
  /** The option value of the request type that the form is drawn for. */
  shownType: z.string().optional(),
  /** What that was called. */
  shownTypeName: z.string().optional(),
  /** The values of hidden fields. */
  hidden: z.custom<FormDraft>((value) => typeof value === 'object').optional(),
  /** Whether all fields are shown. */
  isExpanded: z.boolean().optional(),
  /** Whether it was closed, and opened again, perhaps elsewhere. */
  isContinued: z.boolean().optional(),
  /** Whether the service refused it. */
  isReturned: z.boolean().optional(),
  /** How often a suggested value was replaced, because it follows the type. */
  resets: z.number().optional(),
  /** The values of fields that depend on the type, for earlier types. */
  earlier: earlierChoices.optional(),
});
export type FormMetadata = z.infer<typeof formMetadata>;

/** Escaping for JSON may double a text's length; the rest of the metadata is short. */
const TYPED_MAX = PRIVATE_METADATA_MAX / 2 - 300;

/** Serializes the metadata. If it is too long, the longest earlier choices are dropped. */
export function writeMetadata(data: FormMetadata): string {
  const typed = data.typed === undefined ? undefined : clip(data.typed, TYPED_MAX);
  const write = (earlier: EarlierChoices) => JSON.stringify({ ...data, typed, earlier });
  let earlier = Object.entries(data.earlier ?? {}).toSorted(
    ([, one], [, other]) => JSON.stringify(one).length - JSON.stringify(other).length,
  );
  while (earlier.length > 0 && write(Object.fromEntries(earlier)).length > PRIVATE_METADATA_MAX) {
    earlier = earlier.slice(0, -1);
  }
  return write(Object.fromEntries(earlier));
}

/** @throws if it wasn't written by `writeMetadata`; Slack returns it unchanged */
export function readMetadata(text: string): FormMetadata {
  return formMetadata.parse(JSON.parse(text));
}
