import type { InputBlock, PlainTextOption } from '@slack/types';
import type { AttachedFile, FileRole, FormDraft } from '../../requests/request.ts';
import type { FieldValue, ViewValues } from '../surface/views.ts';
import { plainText } from '../text/blocks.ts';
import { clip, OPTION_TEXT_MAX, wellFormed } from '../text/limits.ts';
import { FILE_FIELDS, FILES, wordsForFile } from '../words/files.ts';
import type { FormContext, FormLists } from './draft.ts';
import { textField } from './form-field.ts';
import { LIST_SUFFIX } from './ids.ts';
import { shortDigest, withoutEmoji } from './options.ts';
import { problemOfKind } from './slack-files.ts';

/** Slack's limit for a file_input, and for checkboxes (JSDoc of @slack/types). */
export const MAX_FILES = 10;

/**
 * A field for files. Slack can't pre-fill a `file_input`, and doesn't document what it keeps of one when a view is
 * updated. So in a form that is drawn with files, they are listed above the input, each with a checkbox that removes
 * it, and the input is empty, under an ID of its own.
 */
export const fileField = (role: FileRole) => ({
  apiNames: [FILE_FIELDS[role].label],
  summary: (draft: FormDraft) => {
    const count = draft[role]?.length ?? 0;
    return count > 0 ? `${FILE_FIELDS[role].label} (${count})` : undefined;
  },
  resetBy: ({ draft }: FormContext) => (draft[role] ?? []).map(({ id }) => id),
  above: (context: FormContext) => attachedList(role, context.draft[role] ?? []),
  draw({ draft, files }: FormContext) {
    const room = MAX_FILES - (draft[role]?.length ?? 0);
    if (!files || room <= 0) return undefined;
    const element = { type: 'file_input' as const, action_id: role, max_files: room };
    return { element };
  },
  read: (value: FieldValue): FormDraft => ({ [role]: uploadedIn(value) }),
  readAll: (values: ViewValues): FormDraft | undefined => readFiles(role, values),
  problemIn: (values: ViewValues, { files }: FormLists) =>
    fileProblem(role, values, files?.maxBytes ?? Number.POSITIVE_INFINITY),
});

function attachedList(role: FileRole, files: readonly AttachedFile[]): InputBlock | undefined {
  if (files.length === 0) return undefined;
  const options = files.slice(0, MAX_FILES).map(
    ({ id, name }): PlainTextOption => ({
      text: withoutEmoji(clip(wellFormed(name), OPTION_TEXT_MAX) || id),
      value: id,
    }),
  );
  return {
    type: 'input',
    // Each list has an ID of its own, so that all files of a new one are ticked.
    block_id: `${role}${LIST_SUFFIX}@${shortDigest(files.map(({ id }) => id))}`,
    label: plainText(FILES.attached(FILE_FIELDS[role].label)),
    hint: plainText(FILES.attachedHint),
    optional: true,
    element: {
      type: 'checkboxes',
      action_id: role + LIST_SUFFIX,
      options,
      initial_options: options,
    },
  };
}

/** @returns undefined if the view shows nothing of the field */
function readFiles(role: FileRole, values: ViewValues): FormDraft | undefined {
  const kept = valueIn(values, role + LIST_SUFFIX);
  const added = valueIn(values, role);
  if (!kept && !added) return undefined;
  const ticked = kept?.selected_options ?? [];
  const all = [
    ...ticked.map(({ value: id, text }) => ({ id, name: text.text })),
    ...(added ? uploadedIn(added) : []),
  ];
  const files = [...new Map(all.map((file) => [file.id, file])).values()];
  return { [role]: files.length > 0 ? files : undefined };
}

const valueIn = (values: ViewValues, actionId: string): FieldValue | undefined =>
  Object.values(values).find((actions) => Object.hasOwn(actions, actionId))?.[actionId];

function uploadedIn({ files }: FieldValue): AttachedFile[] {
  return (files ?? []).flatMap(({ id, name }) => (id ? [{ id, name: name || id }] : []));
}

/** Which files are unusable, as far as that is known at Send. The rest is checked right before the request is sent. */
function fileProblem(role: FileRole, values: ViewValues, maxBytes: number): string | undefined {
  const uploaded = valueIn(values, role)?.files ?? [];
  const count = (readFiles(role, values)?.[role] ?? []).length;
  if (count > MAX_FILES) return FILES.tooMany(MAX_FILES);
  const words = uploaded.flatMap((file) => {
    const { name = '', size = 0 } = file;
    const problem = problemOfKind(file) ?? (size > maxBytes ? 'too_large' : undefined);
    return problem ? [wordsForFile(problem, name, maxBytes)] : [];
  });
  return words.length > 0 ? words.join(' ') : undefined;
}

/** The text about files of one role. */
export function noteField(name: 'referenceFilesNote' | 'additionalFilesNote') {
  const field = textField(name, { multiline: true });
  return {
    ...field,
    summary: (draft: FormDraft) => draft[name] && FILE_FIELDS[name].label,
    draw: (context: FormContext) =>
      context.files || context.draft[name] ? field.draw(context) : undefined,
  };
}
