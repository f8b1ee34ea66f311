import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { clipMrkdwn } from '../text/clip-mrkdwn.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip, SECTION_TEXT_MAX } from '../text/limits.ts';
import { buildNotice } from '../views/notice-view.ts';
import { CANCEL } from '../words/modal.ts';
import { FORM, NOTICES } from '../words/request-form.ts';
import { blockIdOf } from './block-ids.ts';
import { chosenType, type FormContext } from './draft.ts';
import { FORM_FIELDS, type FormField } from './fields.ts';
import { FORM_ACTIONS, REQUEST_FORM, REQUEST_FORM_NOTICE } from './ids.ts';
import { type FormMetadata, writeMetadata } from './metadata.ts';
import { optionValue } from './options.ts';
import type { FieldProblems } from './parse.ts';

export type FormViewProps = FormContext & {
  metadata: FormMetadata;
  /** What to fix, by field. */
  problems?: FieldProblems;
  /** Other problems, or why the form is shown again. */
  notice?: string;
};

/** The form, filled with the draft. */
export function buildFormView(props: FormViewProps): ModalView {
  const { metadata, notice, options } = props;
  if (options.requestTypes.length === 0) {
    return buildNoticeView(NOTICES.noRequestTypes, { retry: true, metadata });
  }
  const blocks = FORM_FIELDS.flatMap((field) => buildField(field, props));
  const type = chosenType(props);
  const shownType = type && optionValue(type.id);
  return {
    type: 'modal',
    callback_id: REQUEST_FORM,
    private_metadata: writeMetadata({ ...metadata, typed: undefined, shownType }),
    title: { type: 'plain_text', text: FORM.title },
    submit: { type: 'plain_text', text: FORM.send },
    close: { type: 'plain_text', text: CANCEL },
    blocks: notice ? [section(`:warning: ${notice}`), ...blocks] : blocks,
  };
}

function buildField(field: FormField, props: FormViewProps): KnownBlock[] {
  const problem = props.problems?.[field.name];
  const drawn = field.draw(props);
  if (!drawn) {
    const note = field.name === 'brand' ? brandNote(props) : [];
    return problem ? [...note, problemNote(`${field.label}: ${problem}`)] : note;
  }
  const input: InputBlock = {
    type: 'input',
    block_id: blockIdOf(field, props),
    label: { type: 'plain_text', text: field.label },
    optional: field.missing === undefined,
    ...(field.hint ? { hint: { type: 'plain_text', text: field.hint } } : {}),
    ...drawn,
  };
  return problem ? [input, problemNote(problem)] : [input];
}

const problemNote = (problem: string): KnownBlock =>
  context(`:warning: ${escapeMrkdwn(clip(problem, PROBLEM_SHOWN))}`);

/** Explains why no brands are offered yet. If the service has none, there is nothing to explain. */
function brandNote({ options }: FormViewProps): KnownBlock[] {
  if (options.brands !== undefined) return [];
  return [context(options.brandsPending ? FORM.brandsLoading : FORM.brandsUnavailable)];
}

/** Shown of a problem, in characters: a sentence, so that it doesn't bury the form. */
const PROBLEM_SHOWN = 500;

/** Shown until the service has answered. */
export function buildLoadingView(metadata?: FormMetadata): ModalView {
  return buildNoticeView(NOTICES.loading, metadata ? { metadata } : {});
}

/** A text instead of the form, with a "Try again" button where that can help. */
export function buildNoticeView(
  text: string,
  options: { retry?: boolean; metadata?: FormMetadata; buttons?: KnownBlock[] } = {},
): ModalView {
  const retry: KnownBlock = {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: FORM_ACTIONS.retryLoading,
        text: { type: 'plain_text', text: NOTICES.tryAgain },
      },
    ],
  };
  const { metadata, buttons = [] } = options;
  return buildNotice({
    title: FORM.title,
    text,
    blocks: options.retry ? [retry, ...buttons] : buttons,
    callbackId: REQUEST_FORM_NOTICE,
    metadata: metadata && writeMetadata(metadata),
  });
}

const section = (text: string): KnownBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', text: clipMrkdwn(text, SECTION_TEXT_MAX), verbatim: true },
});

const context = (text: string): KnownBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text, verbatim: true }],
});
