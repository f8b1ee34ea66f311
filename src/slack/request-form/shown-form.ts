import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import type { FormDraft } from '../../requests/request.ts';
import { UNLISTED_TYPE } from '../../service/cache/reference-lists.ts';
import { fieldsAmong } from './block-ids.ts';
import type { FormContext } from './draft.ts';
import { FORM_ACTIONS, REQUEST_TYPE_INPUT } from './ids.ts';
import { initialValues } from './initial-values.ts';
import { readDraft } from './parse.ts';

/** A view of the form, as Slack sends it with whatever happens in it. */
export type ShownForm = Pick<ViewOutput, 'private_metadata' | 'blocks' | 'state'>;

const metadata = z.object({ formId: z.string().min(1).max(64) });

/** What a view carries along. Everything else is stored under this ID. */
export const metadataOf = (formId: string): string => JSON.stringify({ formId });

/** @throws if the view isn't of a form; Slack returns its metadata unchanged */
export const formIdOf = (view: Pick<ShownForm, 'private_metadata'>): string =>
  metadata.parse(JSON.parse(view.private_metadata)).formId;

/**
 * The option value of the request type that a view has the fields of; undefined if none was chosen. What is stored may
 * be for another one, if a redraw was stored that Slack hasn't shown.
 */
export function shownTypeOf(blocks: ShownForm['blocks']): string | undefined {
  if (!fieldsAmong(blocks).has(REQUEST_TYPE_INPUT)) return UNLISTED_TYPE;
  const inputs = Object.values(initialValues(blocks));
  const initial = inputs.find((input) => input[REQUEST_TYPE_INPUT])?.[REQUEST_TYPE_INPUT];
  return initial?.selected_option?.value;
}

/** Whether a view hides fields, whose values are only in the stored form. */
export const hidesFields = (blocks: ShownForm['blocks']): boolean =>
  JSON.stringify(blocks).includes(`"action_id":"${FORM_ACTIONS.moreOptions}"`);

/**
 * What a form contains now.
 *
 * @param stored the values of the fields that the view doesn't show
 */
export function draftIn(
  { state, blocks }: Pick<ShownForm, 'state' | 'blocks'>,
  context: Omit<FormContext, 'draft'>,
  stored: FormDraft,
): FormDraft {
  return readDraft(state.values, context, hiddenIn(blocks, stored));
}

/** Of the stored values, those of the fields that a view doesn't show. Slack may leave an empty field out of its values. */
export function hiddenIn(blocks: ShownForm['blocks'], stored: FormDraft): FormDraft {
  const shown = fieldsAmong(blocks);
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !shown.has(name)));
}
