import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { DesignRequest } from '../../requests/request.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { type FormOptions, UNLISTED_TYPE } from '../../service/cache/reference-lists.ts';
import type { SlackDeps } from '../deps.ts';
import { inTime } from '../listener/in-time.ts';
import { interactionOf } from '../listener/once.ts';
import { refuseSubmission, type ViewArgs, workspaceOf } from '../listener/replies.ts';
import { reportUnexpected } from '../listener/unexpected.ts';
import type { ViewValues } from '../views/view-values.ts';
import { wordsForState } from '../words/messages.ts';
import { NOTICES, PROBLEMS } from '../words/request-form.ts';
import { fieldsAmong } from './block-ids.ts';
import { asDrawn, changedForm, whyOutdated } from './changed-form.ts';
import type { FormContext } from './draft.ts';
import { chosenValues } from './elements.ts';
import { readDefaults } from './fill-defaults.ts';
import { buildFormView, buildNoticeView, type FormViewProps } from './modal.ts';
import { isDigest } from './options.ts';
import { type FieldProblems, parseForm, problemsByBlock, readDraft } from './parse.ts';
import { hiddenIn, shownTypeOf } from './shown-form.ts';
import { isTypedIn, readOpenForm, removeSent, saveForm } from './unfinished.ts';

type SubmitDeps = Pick<
  SlackDeps,
  | 'referenceLists'
  | 'outcomes'
  | 'transact'
  | 'unfinishedForms'
  | 'formDefaults'
  | 'requests'
  | 'formFiles'
  | 'partnerName'
  | 'now'
  | 'log'
>;

const NO_OPTIONS: FormOptions = { requestTypes: [], brands: undefined };

/**
 * Validates a submitted form and stores the request before acknowledging it. If it can't be stored,
 * the form stays open with everything that was typed.
 */
export async function onSubmit(deps: SubmitDeps, args: ViewArgs): Promise<void> {
  // So that the outcome of an earlier press isn't drawn over this one.
  deps.outcomes.submitted(args.view.id);
  try {
    await submit(deps, args);
  } catch (error) {
    const words = reportUnexpected(deps.log, error, 'could not store a submission', {
      words: PROBLEMS.notSaved,
    });
    await refuseSubmission(args, words);
  }
}

async function submit(deps: SubmitDeps, args: ViewArgs): Promise<void> {
  const { view, body, context, ack } = args;
  const workspaceId = workspaceOf(context);
  const userId = body.user.id;
  const { values } = view.state;
  const { form: stored, notice: lost } = await readOpenForm(deps, workspaceId, userId, view);
  const cached = (await listsFor(deps, workspaceId, values)) ?? NO_OPTIONS;
  // A view sent with the acknowledgment can't be completed later, since Slack doesn't return its ID
  // and hash.
  const options = { ...cached, brandsPending: false };
  const { partnerName } = deps;
  const { isContinued, formId, channelId } = stored;
  // Also if there are lists by now: its author is asked to finish it then.
  const isUnlistedForm = shownTypeOf(view.blocks) === UNLISTED_TYPE;
  const unlisted = isUnlistedForm ? { requestType: { id: UNLISTED_TYPE, name: '' } } : {};
  const hidden = { ...hiddenIn(view.blocks, stored.draft), ...unlisted };
  const files = deps.formFiles.peek(workspaceId);
  const lists = { options, partnerName, files, isContinued };
  const draft = readDraft(values, lists, hidden);
  const defaults = await readDefaults(deps.formDefaults, workspaceId, userId, stored);
  const notice = lost ?? whyOutdated({ ...lists, draft }, view.blocks, stored.draft);
  if (notice) {
    const changed = await changedForm(view, lists, stored, () => defaults);
    return showAgain(deps, args, lists, { ...changed, notice });
  }
  const briefs = defaults.stored.flatMap(({ choices }) => choices.brief ?? []);
  const parsed = parseForm(values, lists, { hidden, now: deps.now(), briefs });
  if ('problems' in parsed) {
    const visible = [...fieldsAmong(view.blocks)];
    return refuse(deps, args, lists, { ...stored, ...parsed, visible });
  }
  const { request, isCurrent } = await submitRequest(deps, {
    formId,
    workspaceId,
    userId,
    channelId,
    viewId: view.id,
    form: parsed.form,
    interaction: interactionOf(args),
  });
  await ack({
    response_action: 'update',
    view: isCurrent ? buildNoticeView(NOTICES.sending) : buildSentBeforeView(request),
  });
  await removeSent(deps, workspaceId, userId, request.form);
}

/**
 * The cached lists. The service is asked only if there are none and the form can't be read without
 * them.
 */
async function listsFor(
  deps: SubmitDeps,
  workspaceId: WorkspaceId,
  values: ViewValues,
): Promise<FormOptions | undefined> {
  const cached = await deps.referenceLists.cachedFormOptions(workspaceId).catch(() => undefined);
  const chosen = Object.values(values).flatMap((actions) =>
    Object.values(actions).flatMap(chosenValues),
  );
  if (cached || !chosen.some(isDigest)) return cached;
  const read = deps.referenceLists.formOptions(workspaceId).catch((error) => {
    deps.log.warn(
      { err: error, workspace: workspaceId },
      'could not load the lists that a form needs',
    );
    return undefined;
  });
  return inTime(read, undefined);
}

const buildSentBeforeView = (request: DesignRequest) =>
  buildNoticeView(NOTICES.sentBefore(request.reference, wordsForState(request)));

type Refused = UnfinishedForm & Pick<FormViewProps, 'notice' | 'problems'>;

/** Draws a form again in the acknowledgment. What it hides is stored first. */
async function showAgain(
  deps: SubmitDeps,
  { ack, body, context, view }: ViewArgs,
  lists: Omit<FormContext, 'draft'>,
  { notice = '', problems = {}, ...form }: Refused,
): Promise<void> {
  const isTyped = form.isTyped || isTypedIn(view, lists);
  const stored = asDrawn(lists, { ...form, isTyped });
  await saveForm(deps, workspaceOf(context), body.user.id, stored);
  await ack({
    response_action: 'update',
    view: buildFormView({ ...lists, ...form, notice, problems }),
  });
}

/** Slack shows errors only at fields that the view has. If one is missing, the form is redrawn. */
async function refuse(
  deps: SubmitDeps,
  args: ViewArgs,
  lists: Omit<FormContext, 'draft'>,
  form: Refused & { problems: FieldProblems },
): Promise<void> {
  const { problems } = form;
  const errors = problemsByBlock(problems, args.view.state.values);
  const allShown = Object.keys(errors).length === Object.keys(problems).length;
  if (allShown || lists.options.requestTypes.length === 0) {
    await args.ack({ response_action: 'errors', errors });
  } else await showAgain(deps, args, lists, form);
}
