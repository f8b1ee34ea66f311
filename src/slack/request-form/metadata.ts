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
  /** What stood in fields that another choice of type took out of the form. */
  earlier?: EarlierChoices | undefined;
};

const metadata = z.object({
  formId: z.string().min(1).max(64),
  channelId: z.string().optional(),
  typed: z.string().optional(),
  earlier: earlierChoices.optional(),
});

/** Escapes may double a text's length as JSON; the rest of the metadata is short. */
const TYPED_MAX = PRIVATE_METADATA_MAX / 2 - 200;

export function writeMetadata(data: FormMetadata): string {
  const typed = data.typed === undefined ? undefined : clip(data.typed, TYPED_MAX);
  const text = JSON.stringify({ ...data, typed });
  return text.length <= PRIVATE_METADATA_MAX
    ? text
    : JSON.stringify({ ...data, typed, earlier: undefined });
}

/** @throws where the metadata is not this app's: Slack gives back what the app had put there */
export function readMetadata(text: string): FormMetadata {
  return metadata.parse(JSON.parse(text));
}
