import { z } from 'zod';
import { clip, PRIVATE_METADATA_MAX } from '../text/limits.ts';
import type { FormDraft } from './draft.ts';
import { type EarlierChoices, earlierChoices } from './earlier-choices.ts';

/** Stored in the form's `private_metadata`. */
export type FormMetadata = {
  /** While the workspace isn't connected: whom its opener can ask. */
  admin?: FormAdmin | undefined;
  /** The ID of the future request, so that submitting a form twice creates one request. */
  formId: string;
  /** Who fills it in. */
  userId?: string | undefined;
  /** The channel of the command that opened it first. */
  channelId?: string | undefined;
  /** The text after the command, until the form is drawn. */
  typed?: string | undefined;
  /** The option value of the request type that the form is drawn for. */
  shownType?: string | undefined;
  /** What that was called. */
  shownTypeName?: string | undefined;
  /** The values of hidden fields. */
  hidden?: FormDraft | undefined;
  /** Whether all fields are shown. */
  isExpanded?: boolean | undefined;
  /** Whether it was closed, and opened again, perhaps elsewhere. */
  isContinued?: boolean | undefined;
  /** Whether the service refused it. */
  isReturned?: boolean | undefined;
  /** How often a suggested value was replaced, because it follows the type. */
  resets?: number | undefined;
  /** The values of fields that depend on the type, for earlier types. */
  earlier?: EarlierChoices | undefined;
};

const formAdmin = z.union([
  z.literal('reader'),
  z.object({ userId: z.string(), name: z.string().optional() }),
]);
type FormAdmin = z.infer<typeof formAdmin>;

export const formMetadata = z.object({
  admin: formAdmin.optional(),
  formId: z.string().min(1).max(64),
  userId: z.string().optional(),
  channelId: z.string().optional(),
  typed: z.string().optional(),
  shownType: z.string().optional(),
  shownTypeName: z.string().optional(),
  hidden: z.custom<FormDraft>((value) => typeof value === 'object').optional(),
  isExpanded: z.boolean().optional(),
  isContinued: z.boolean().optional(),
  isReturned: z.boolean().optional(),
  resets: z.number().optional(),
  earlier: earlierChoices.optional(),
});

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
