import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { clipMrkdwn } from '../text/clip-mrkdwn.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip, SECTION_TEXT_MAX } from '../text/limits.ts';
import { buildNotice } from '../views/notice-view.ts';
import { blockIdOf } from './blocks-of-fields.ts';
import { chosenType, type FormContext } from './draft.ts';
import { FORM_FIELDS, type FormField } from './fields.ts';
import { FORM_ACTIONS, REQUEST_FORM, REQUEST_FORM_NOTICE } from './ids.ts';
import { type FormMetadata, writeMetadata } from './metadata.ts';
import { optionValue } from './options.ts';
import type { FieldProblems } from './parse.ts';

const TITLE = { type: 'plain_text' as const, text: 'Design request' };

export type FormViewProps = FormContext & {
  metadata: FormMetadata;
  /** What to mend, by field. */
  problems?: FieldProblems;
  /** What to mend that belongs to no field, or why the form is here again. */
  notice?: string;
};

/** The form itself, filled with the draft. */
export function buildFormView(props: FormViewProps): ModalView {
  const { metadata, notice, options } = props;
  if (options.requestTypes.length === 0) {
    return buildNoticeView(
      'Your design service lists no request types for this API key, so nothing can be ordered yet. Ask whoever runs the service, then try again.',
      { retry: true, metadata },
    );
  }
  const blocks = FORM_FIELDS.flatMap((field) => buildField(field, props));
  const type = chosenType(props);
  const shownType = type && optionValue(type.id);
  return {
    type: 'modal',
    callback_id: REQUEST_FORM,
    private_metadata: writeMetadata({ ...metadata, typed: undefined, shownType }),
    title: TITLE,
    submit: { type: 'plain_text', text: 'Send' },
    close: { type: 'plain_text', text: 'Cancel' },
    blocks: notice ? [words(`:warning: ${notice}`), ...blocks] : blocks,
  };
}

function buildField(field: FormField, props: FormViewProps): KnownBlock[] {
  const problem = props.problems?.[field.name];
  const drawn = field.draw(props);
  if (!drawn) {
    const lacking = field.name === 'brand' ? brandNote(props) : [];
    return problem ? [...lacking, problemNote(`${field.label}: ${problem}`)] : lacking;
  }
  const input: InputBlock = {
    type: 'input',
    block_id: blockIdOf(field, props),
    label: { type: 'plain_text', text: field.label },
    optional: field.missing === undefined,
    ...drawn,
  };
  return problem ? [input, problemNote(problem)] : [input];
}

const problemNote = (problem: string): KnownBlock =>
  context(`:warning: ${escapeMrkdwn(clip(problem, SERVICE_WORDS_MAX))}`);

/** Says why there is no brand to choose, where the service did not answer; having none needs no words. */
function brandNote({ options }: FormViewProps): KnownBlock[] {
  if (options.brands !== undefined) return [];
  const why = options.brandsPending ? 'Loading brands…' : 'Brands can’t be loaded right now.';
  return [context(`${why} You can send the request without one.`)];
}

/** The service's words for one field are a sentence; more would bury the form. In characters. */
const SERVICE_WORDS_MAX = 500;

/** Stands until the service has answered. */
export function buildLoadingView(metadata?: FormMetadata): ModalView {
  return buildNoticeView('Loading request types and brands…', metadata ? { metadata } : {});
}

/** Says something instead of the form, with a button to try again where that can help. */
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
        text: { type: 'plain_text', text: 'Try again' },
      },
    ],
  };
  const { metadata, buttons = [] } = options;
  return buildNotice({
    title: TITLE.text,
    text,
    blocks: options.retry ? [retry, ...buttons] : buttons,
    callbackId: REQUEST_FORM_NOTICE,
    metadata: metadata && writeMetadata(metadata),
  });
}

const words = (text: string): KnownBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', text: clipMrkdwn(text, SECTION_TEXT_MAX), verbatim: true },
});

const context = (text: string): KnownBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text, verbatim: true }],
});
