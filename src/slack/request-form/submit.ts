import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { type FormOptions, UNLISTED_TYPE } from '../../service/cache/reference-lists.ts';
import type { Transact } from '../../store/transact.ts';
import { actorOf } from '../surface/access.ts';
import {
  inTime,
  interactionOf,
  refuseSubmission,
  reportUnexpected,
  type ViewArgs,
} from '../surface/replies.ts';
import type { Outcomes, ViewValues } from '../surface/views.ts';
import { wordsForState } from '../words/messages.ts';
import { NOTICES, PROBLEMS } from '../words/request-form.ts';
import { type FormLists, type ListsForForms, NO_LISTS } from './draft.ts';
import { chosenValues } from './elements.ts';
import { changedForm, outdatedNotice } from './filled-form.ts';
import type { FormFilesAccess } from './form-files.ts';
import { buildNoticeView, drawForm, type FormViewProps } from './form-view.ts';
import { isDigest } from './options.ts';
import { parseForm, problemsByBlock, readDraft } from './parse.ts';
import { fieldsAmong, hiddenIn, shownTypeOf } from './shown-form.ts';
import { isTypedIn, type SavedForms } from './unfinished.ts';

/** Send in the form. */
export function createFormSubmission(deps: {
  lists: ListsForForms;
  savedForms: SavedForms;
  formFiles: FormFilesAccess;
  outcomes: Outcomes;
  transact: Transact;
  now: () => Date;
  log: Log;
}) {
  const { lists, savedForms, formFiles, outcomes, transact, now, log } = deps;

  /**
   * Validates a submitted form and stores the request before acknowledging it. If it can't be stored,
   * the form stays open with everything that was typed.
   */
  async function onSubmit(args: ViewArgs): Promise<void> {
    // So that the outcome of an earlier press isn't drawn over this one.
    outcomes.of(args.view.id);
    try {
      await submit(args);
    } catch (error) {
      const words = reportUnexpected(log, error, 'could not store a submission', {
        words: PROBLEMS.notSaved,
      });
      await refuseSubmission(args, words);
    }
  }

  async function submit(args: ViewArgs): Promise<void> {
    const { view, ack } = args;
    const author = actorOf(args);
    const { workspaceId, userId } = author;
    const { values } = view.state;
    const { form: stored, notice: lost } = await savedForms.readOpen(author, view);
    const cached = (await optionsFor(workspaceId, values)) ?? NO_LISTS;
    // A view sent with the acknowledgment can't be completed later, since Slack doesn't return its ID
    // and hash.
    const options = { ...cached, brandsPending: false };
    const { partnerName } = lists;
    const { formId, channelId } = stored;
    // Even if there are lists by now: the author is then asked to finish it.
    const isUnlistedForm = shownTypeOf(view.blocks) === UNLISTED_TYPE;
    const unlisted = isUnlistedForm ? { requestType: { id: UNLISTED_TYPE, name: '' } } : {};
    const hidden = { ...hiddenIn(view.blocks, stored.draft), ...unlisted };
    const files = formFiles.peek(workspaceId);
    const read = { options, partnerName, files };
    const draft = readDraft(values, read, hidden);
    const defaults = await savedForms.readDefaults(author, stored);
    const notice = lost ?? outdatedNotice({ ...read, draft }, view.blocks, stored.draft);
    if (notice) {
      const changed = changedForm(view, read, stored, defaults);
      return showAgain(args, read, changed, { notice });
    }
    const briefs = defaults.stored.flatMap(({ choices }) => choices.brief ?? []);
    const parsed = parseForm(values, read, { hidden, now: now(), briefs });
    if ('problems' in parsed) {
      const { problems, draft } = parsed;
      const errors = problemsByBlock(problems, values);
      const allShown = Object.keys(errors).length === Object.keys(problems).length;
      if (allShown || options.requestTypes.length === 0) {
        return ack({ response_action: 'errors', errors });
      }
      // Slack shows errors only at fields that the view has.
      const visible = [...fieldsAmong(view.blocks)];
      return showAgain(args, read, { ...stored, draft, visible }, { problems });
    }
    const { request, isCurrent } = await submitRequest(
      { transact, now },
      {
        formId,
        workspaceId,
        userId,
        channelId,
        viewId: view.id,
        form: parsed.form,
        interaction: interactionOf(args),
      },
    );
    await ack({
      response_action: 'update',
      view: buildNoticeView(
        isCurrent ? NOTICES.sending : NOTICES.sentBefore(request.reference, wordsForState(request)),
      ),
    });
    await savedForms.removeSent(author, request.form);
  }

  /** The cached lists. The service is asked only if there are none and the form can't be read without them. */
  async function optionsFor(
    workspaceId: WorkspaceId,
    values: ViewValues,
  ): Promise<FormOptions | undefined> {
    const cached = await lists.cachedOptions(workspaceId).catch(() => undefined);
    const chosen = Object.values(values).flatMap((actions) =>
      Object.values(actions).flatMap(chosenValues),
    );
    if (cached || !chosen.some(isDigest)) return cached;
    const late = lists.options(workspaceId).catch((error) => {
      const about = { err: error, workspace: workspaceId };
      log.warn(about, 'could not load the lists that a form needs');
      return undefined;
    });
    return inTime(late, undefined);
  }

  /** Draws a form again in the acknowledgment. What it hides is stored first. */
  async function showAgain(
    args: ViewArgs,
    read: FormLists,
    form: UnfinishedForm,
    why: Pick<FormViewProps, 'notice' | 'problems'>,
  ): Promise<void> {
    const isTyped = form.isTyped || isTypedIn(args.view, read);
    const drawn = drawForm({ lists: read }, { ...form, isTyped }, why);
    await savedForms.save(actorOf(args), drawn.form);
    await args.ack({ response_action: 'update', view: drawn.view });
  }

  return onSubmit;
}
