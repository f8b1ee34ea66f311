import type { Log } from '../../ops/logging.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { type ReferenceLists, UNLISTED_TYPE } from '../../service/cache/reference-lists.ts';
import type { Transact } from '../../store/stores.ts';
import { refuseSubmission, reportUnexpected, type Submission } from '../surface/interactions.ts';
import type { Outcomes } from '../surface/views.ts';
import { wordsForState } from '../words/messages.ts';
import { FORM, NOTICES, PROBLEMS } from '../words/request-form.ts';
import { changedForm, isForOtherType } from './filled-form.ts';
import { buildNoticeView, drawForm, type FormSources } from './form-view.ts';
import { type Forms, withAllFields } from './forms.ts';
import {
  type FieldProblems,
  formIdOf,
  hidesFields,
  parseForm,
  problemsByBlock,
  shownTypeOf,
} from './parse.ts';

/** Send in the form. */
export function createFormSubmission(deps: {
  referenceLists: Pick<ReferenceLists, 'knownFormOptions'>;
  forms: Forms;
  outcomes: Outcomes;
  transact: Transact;
  now: () => Date;
  log: Log;
}) {
  const { referenceLists, forms, outcomes, transact, now, log } = deps;

  /** Acknowledges only what is stored: otherwise the form stays open, with everything typed. */
  async function onSubmit(submission: Submission): Promise<void> {
    // So that the outcome of an earlier press isn't drawn over this one.
    outcomes.of(submission.view.id);
    try {
      await submit(submission);
    } catch (error) {
      const words = reportUnexpected(log, error, 'could not store a submission', {
        words: PROBLEMS.notSaved,
      });
      await refuseSubmission(submission, words);
    }
  }

  async function submit(submission: Submission): Promise<void> {
    const { view, ack, workspaceId, userId } = submission;
    const formId = formIdOf(view);
    const found = await forms.read(submission, formId);
    const stored = found ?? withAllFields(formId);
    // It is sent even if there are lists by now, and its author is asked to finish it.
    const isUnlistedForm = shownTypeOf(view) === UNLISTED_TYPE;
    if (isUnlistedForm) stored.draft.requestType = { id: UNLISTED_TYPE, name: '' };
    const options = await referenceLists.knownFormOptions(workspaceId);
    const sources = await forms.readSources(submission, stored, options, { asksSlack: false });
    const form = changedForm(view, sources, stored);
    if (!found && hidesFields(view.blocks)) {
      return showAgain(submission, form, { ...sources, notice: FORM.hiddenLost });
    }
    if (isForOtherType({ ...sources, draft: form.draft }, view, stored.draft)) {
      return showAgain(submission, form, { ...sources, notice: FORM.typeChanged });
    }
    const { brief: briefs } = sources.suggestionsFor();
    const parsed = parseForm(form.draft, view.state.values, sources, { now: now(), briefs });
    if ('problems' in parsed) return showProblems(submission, form, sources, parsed.problems);
    const { request, isCurrent } = await submitRequest(
      { transact, now },
      {
        formId,
        workspaceId,
        userId,
        channelId: form.channelId,
        viewId: view.id,
        form: parsed.form,
        interaction: submission.once,
      },
    );
    await ack({
      response_action: 'update',
      view: buildNoticeView(
        isCurrent ? NOTICES.sending : NOTICES.sentBefore(request.reference, wordsForState(request)),
      ),
    });
    await forms.removeSent(submission, request.form);
  }

  /** Slack shows errors only at fields that the view has. */
  async function showProblems(
    submission: Submission,
    form: UnfinishedForm,
    sources: FormSources,
    problems: FieldProblems,
  ): Promise<void> {
    const errors = problemsByBlock(problems, submission.view.state.values);
    const allShown = Object.keys(errors).length === Object.keys(problems).length;
    if (!allShown && sources.options.requestTypes.length > 0) {
      return showAgain(submission, form, { ...sources, problems });
    }
    await submission.ack({ response_action: 'errors', errors });
  }

  /** Draws a form again in the acknowledgment. What it hides is stored first. */
  async function showAgain(submission: Submission, form: UnfinishedForm, sources: FormSources) {
    const drawn = drawForm(form, sources);
    await forms.save(submission, drawn.form);
    await submission.ack({ response_action: 'update', view: drawn.view });
  }

  return onSubmit;
}
