import { z } from 'zod';
import { clip, PRIVATE_METADATA_MAX } from '../text/limits.ts';

import { type EarlierChoices, earlierChoices } from './earlier-choices.ts';

/** What a form carries along in Slack's `private_metadata`, unseen by the person. */
export type FormMetadata = {
  /** The request's id from the moment the form opens: sent twice, it is one request. */
  formId: string;
  /** Where the command was typed. */
  channelId?: string | undefined;
  /** What was typed after the command, until the form is drawn. */
  typed?: string | undefined;
  /** The option value of the request type whose menus the form shows. */
  shownType?: string | undefined;
  /** What stood in fields that another choice of type took out of the form. */
  earlier?: EarlierChoices | undefined;
};

export const formMetadata = z.object({
  formId: z.string().min(1).max(64),
  channelId: z.string().optional(),
  typed: z.string().optional(),
  shownType: z.string().optional(),
  earlier: earlierChoices.optional(),
});

/** Escapes may double a text's length as JSON; the rest of the metadata is short. */
const TYPED_MAX = PRIVATE_METADATA_MAX / 2 - 200;

/** As much as there is room for: of what stood in fields, what takes most is left out first. */
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

/** @throws where the metadata is not this app's: Slack gives back what the app had put there */
export function readMetadata(text: string): FormMetadata {
  return formMetadata.parse(JSON.parse(text));
}
