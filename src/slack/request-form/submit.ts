import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { type FormOptions, UNLISTED_TYPE } from '../../service/cache/reference-lists.ts';
import type { SlackDeps } from '../deps.ts';
import { actorOf } from '../listener/access.ts';
import { inTime, interactionOf, reportUnexpected } from '../listener/delivery.ts';
import { refuseSubmission, type ViewArgs } from '../listener/replies.ts';
import type { ViewValues } from '../views/view-values.ts';
import { wordsForState } from '../words/messages.ts';
import { NOTICES, PROBLEMS } from '../words/request-form.ts';
import { changedForm, outdatedNotice } from './changed-form.ts';
import { type FormLists, NO_LISTS } from './draft.ts';
import { drawForm } from './draw.ts';
import { chosenValues } from './elements.ts';
import { readDefaults } from './fill-defaults.ts';
import { buildNoticeView, type FormViewProps } from './form-view.ts';
import { isDigest } from './options.ts';
import { parseForm, problemsByBlock, readDraft } from './parse.ts';
import { fieldsAmong, hiddenIn, shownTypeOf } from './shown-form.ts';
import { isTypedIn, readOpenForm, removeSent, saveForm } from './unfinished.ts';

/**
 * Validates a submitted form and stores the request before acknowledging it. If it can't be stored,
 * the form stays open with everything that was typed.
 */
export async function onSubmit(deps: SlackDeps, args: ViewArgs): Promise<void> {
  // So that the outcome of an earlier press isn't drawn over this one.
  deps.outcomes.of(args.view.id);
  try {
    await submit(deps, args);
  } catch (error) {
    const words = reportUnexpected(deps.log, error, 'could not store a submission', {
      words: PROBLEMS.notSaved,
    });
    await refuseSubmission(args, words);
  }
}

async function submit(deps: SlackDeps, args: ViewArgs): Promise<void> {
  const { view, ack } = args;
  const author = actorOf(args);
  const { workspaceId, userId } = author;
  const { values } = view.state;
  const { form: stored, notice: lost } = await readOpenForm(deps, author, view);
  const cached = (await listsFor(deps, workspaceId, values)) ?? NO_LISTS;
  // A view sent with the acknowledgment can't be completed later, since Slack doesn't return its ID
  // and hash.
  const options = { ...cached, brandsPending: false };
  const { partnerName } = deps;
  const { formId, channelId } = stored;
  // Also if there are lists by now: its author is asked to finish it then.
  const isUnlistedForm = shownTypeOf(view.blocks) === UNLISTED_TYPE;
  const unlisted = isUnlistedForm ? { requestType: { id: UNLISTED_TYPE, name: '' } } : {};
  const hidden = { ...hiddenIn(view.blocks, stored.draft), ...unlisted };
  const files = await deps.formFiles.of(workspaceId);
  const lists = { options, partnerName, files };
  const draft = readDraft(values, lists, hidden);
  const defaults = await readDefaults(deps, author, stored);
  const notice = lost ?? outdatedNotice({ ...lists, draft }, view.blocks, stored.draft);
  if (notice) {
    const changed = changedForm(view, lists, stored, defaults);
    return showAgain(deps, args, lists, changed, { notice });
  }
  const briefs = defaults.stored.flatMap(({ choices }) => choices.brief ?? []);
  const parsed = parseForm(values, lists, { hidden, now: deps.now(), briefs });
  if ('problems' in parsed) {
    const { problems, draft } = parsed;
    const errors = problemsByBlock(problems, values);
    const allShown = Object.keys(errors).length === Object.keys(problems).length;
    if (allShown || options.requestTypes.length === 0) {
      return ack({ response_action: 'errors', errors });
    }
    // Slack shows errors only at fields that the view has.
    const visible = [...fieldsAmong(view.blocks)];
    return showAgain(deps, args, lists, { ...stored, draft, visible }, { problems });
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
    view: buildNoticeView(
      isCurrent ? NOTICES.sending : NOTICES.sentBefore(request.reference, wordsForState(request)),
    ),
  });
  await removeSent(deps, author, request.form);
}

/** The cached lists. The service is asked only if there are none and the form can't be read without them. */
async function listsFor(
  deps: SlackDeps,
  workspaceId: WorkspaceId,
  values: ViewValues,
): Promise<FormOptions | undefined> {
  const cached = await deps.referenceLists.cachedFormOptions(workspaceId).catch(() => undefined);
  const chosen = Object.values(values).flatMap((actions) =>
    Object.values(actions).flatMap(chosenValues),
  );
  if (cached || !chosen.some(isDigest)) return cached;
  const read = deps.referenceLists.formOptions(workspaceId).catch((error) => {
    const about = { err: error, workspace: workspaceId };
    deps.log.warn(about, 'could not load the lists that a form needs');
    return undefined;
  });
  return inTime(read, undefined);
}

/** Draws a form again in the acknowledgment. What it hides is stored first. */
async function showAgain(
  deps: SlackDeps,
  args: ViewArgs,
  lists: FormLists,
  form: UnfinishedForm,
  why: Pick<FormViewProps, 'notice' | 'problems'>,
): Promise<void> {
  const isTyped = form.isTyped || isTypedIn(args.view, lists);
  const drawn = drawForm({ lists }, { ...form, isTyped }, why);
  await saveForm(deps, actorOf(args), drawn.form);
  await args.ack({ response_action: 'update', view: drawn.view });
}
