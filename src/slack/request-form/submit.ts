import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { DesignRequest, FormDraft } from '../../requests/request.ts';
import { submitRequest } from '../../requests/submit-request.ts';
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
import { changedForm, whyOutdated } from './changed-form.ts';
import type { FormContext, FormFiles } from './draft.ts';
import { chosenValues } from './elements.ts';
import { type FormMetadata, readMetadata } from './metadata.ts';
import { buildFormView, buildNoticeView } from './modal.ts';
import { isDigest } from './options.ts';
import { type FieldProblems, parseForm, problemsByBlock, readDraft } from './parse.ts';
import { removeSent } from './unfinished.ts';

type SubmitDeps = Pick<
  SlackDeps,
  | 'referenceLists'
  | 'outcomes'
  | 'transact'
  | 'unfinishedForms'
  | 'defaultsOfForms'
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
  const { view, body, context, ack } = args;
  // So that the outcome of an earlier press isn't drawn over this one.
  deps.outcomes.submitted(view.id);
  const workspaceId = workspaceOf(context);
  const metadata = readMetadata(view.private_metadata);
  const cached = (await listsFor(deps, workspaceId, view.state.values)) ?? NO_OPTIONS;
  // A view sent with the acknowledgment can't be completed later, since Slack doesn't return its ID
  // and hash.
  const options = { ...cached, brandsPending: false };
  const { partnerName } = deps;
  const { values } = view.state;
  const { isContinued } = metadata;
  // Also if there are lists by now: its author is asked to finish it then.
  const isUnlisted = metadata.shownType === UNLISTED_TYPE;
  const unlisted = isUnlisted ? { requestType: { id: UNLISTED_TYPE, name: '' } } : {};
  const hidden = { ...metadata.hidden, ...unlisted };
  const files = deps.formFiles.peek(workspaceId);
  const form = { options, partnerName, files, isContinued };
  const notice = whyOutdated({ ...form, draft: readDraft(values, form, hidden) }, metadata);
  if (notice) return showAgain(deps, args, { form, metadata, notice });
  const given = { ...metadata, userId: body.user.id };
  const defaults = await deps.defaultsOfForms.ofOpenForm(workspaceId, given).catch(() => undefined);
  const briefs = defaults?.stored.flatMap(({ choices }) => choices.brief ?? []);
  const parsed = parseForm(values, form, { hidden, now: deps.now(), briefs });
  if ('problems' in parsed) {
    return refuse(args, { ...parsed, metadata, options, partnerName, files });
  }
  try {
    const { request, isCurrent } = await submitRequest(deps, {
      formId: metadata.formId,
      workspaceId,
      userId: body.user.id,
      channelId: metadata.channelId,
      viewId: view.id,
      form: parsed.form,
      interaction: interactionOf(args),
    });
    await ack({
      response_action: 'update',
      view: isCurrent ? buildNoticeView(NOTICES.sending) : buildSentBeforeView(request),
    });
    await removeSent(deps, workspaceId, body.user.id, request.form);
  } catch (error) {
    const words = reportUnexpected(deps.log, error, 'could not store a submission', {
      words: PROBLEMS.notSaved,
    });
    await refuseSubmission(args, words);
  }
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

/** What is hidden, or offered in the menus, belongs to the type that the form is drawn for. */
async function showAgain(
  deps: SubmitDeps,
  { ack, body, context, view }: ViewArgs,
  {
    form,
    metadata,
    notice,
  }: { form: Omit<FormContext, 'draft'>; metadata: FormMetadata; notice: string },
): Promise<void> {
  const drawn = { values: view.state.values, visible: fieldsAmong(view.blocks) };
  const given = { ...metadata, userId: body.user.id };
  const changed = await changedForm(drawn, form, given, () =>
    deps.defaultsOfForms.ofOpenForm(workspaceOf(context), given),
  );
  await ack({
    response_action: 'update',
    view: buildFormView({ ...form, ...changed, notice }),
  });
}

/** Slack shows errors only at fields that the view has. If one is missing, the form is redrawn. */
async function refuse(
  args: ViewArgs,
  refused: {
    problems: FieldProblems;
    draft: FormDraft;
    metadata: FormMetadata;
    options: FormOptions;
    partnerName: string | undefined;
    files: FormFiles | undefined;
  },
): Promise<void> {
  const { problems, options } = refused;
  const errors = problemsByBlock(problems, args.view.state.values);
  const allShown = Object.keys(errors).length === Object.keys(problems).length;
  if (allShown || options.requestTypes.length === 0) {
    await args.ack({ response_action: 'errors', errors });
  } else {
    await args.ack({
      response_action: 'update',
      view: buildFormView({ ...refused, visible: fieldsAmong(args.view.blocks) }),
    });
  }
}
