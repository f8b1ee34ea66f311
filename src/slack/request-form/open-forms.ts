import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import {
  type FormOptions,
  type ReferenceLists,
  UNLISTED_TYPE,
} from '../../service/cache/reference-lists.ts';
import { isTransient } from '../../service/errors.ts';
import type { ClaimedJob } from '../../store/jobs.ts';
import type { Transact } from '../../store/stores.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { AccessControl, Actor } from '../interaction/access.ts';
import {
  type Press,
  refuseSubmission,
  reportUnexpected,
  type Search,
  type Submission,
} from '../interaction/interactions.ts';
import { SLACK_JOBS } from '../interaction/jobs.ts';
import { createTurns, type Outcomes, type ShownView, updateView } from '../interaction/views.ts';
import { wordsWhileRetrying } from '../words/errors.ts';
import { wordsForState } from '../words/messages.ts';
import { FORM, NOTICES, notRedrawn, PROBLEMS } from '../words/request-form.ts';
import type { FormField } from './form-field.ts';
import { buildLoadingView, buildNoticeView, drawForm, type FormSources } from './form-view.ts';
import { changedForm, type Forms, isForOtherType, withAllFields } from './forms.ts';
import { FORM_ACTIONS, SHARE_IN_INPUT } from './ids.ts';
import { type Choice, choiceOf } from './options.ts';
import {
  fieldsAmong,
  formIdOf,
  hidesFields,
  parseForm,
  problemsByBlock,
  shownTypeOf,
} from './parse.ts';

/** How long an open form is retried, in ms. Then people press “Try again”; Slack documents no lifetime of views. */
const GIVE_UP_AFTER_MS = 30 * 60_000;
/** Between attempts, in ms. */
const PAUSE_MS = 10_000;
/** Between forms, in ms: hundreds may wait for the same answer of the service, and others have to open meanwhile. */
const BETWEEN_FORMS_MS = 10;

/** A form that lacks what the service hasn't answered yet; `openedAt` is in ms since the epoch. */
const incompleteForm = z.object({
  viewId: z.string(),
  userId: z.string(),
  formId: z.string(),
  openedAt: z.number(),
  /** The hash of our last update: if someone else has updated the view since, leave it to them. */
  hash: z.string().optional(),
});
type IncompleteForm = z.infer<typeof incompleteForm>;

export type OpenForms = ReturnType<typeof createOpenForms>;

/** Completes forms once the service's lists are there, redraws them for what people do in them, and stores what they send. */
export function createOpenForms(deps: {
  clients: SlackClients;
  referenceLists: ReferenceLists;
  forms: Forms;
  access: AccessControl;
  outcomes: Outcomes;
  jobs: JobQueue;
  transact: Transact;
  now: () => Date;
  log: Log;
}) {
  const { clients, referenceLists, forms, access, outcomes, jobs, transact, now, log } = deps;
  const inTurn = createTurns();

  async function redraw(press: Press, shown: ViewOutput): Promise<void> {
    const { actionId: changed, pressedAt: changedAt, client } = press;
    const options = await readOptions(press);
    // Keep the form: a notice that there is nothing to choose would replace what was typed.
    if (!options || options.requestTypes.length === 0) return;
    const stored = await forms.storedOf(press, shown);
    // Another process has handled a later change.
    if (Number(stored.changedAt) > Number(changedAt)) return;
    const sources = await forms.readSources(press, stored, options);
    const form = changedForm(shown, sources, stored);
    const noPostsIn = await forms.unpostableChannel(press, form.draft.shareIn);
    if (changed === SHARE_IN_INPUT && noPostsIn === stored.noPostsIn) return;
    const isExpanded = stored.isExpanded || changed === FORM_ACTIONS.moreOptions;
    const drawn = drawForm({ ...form, noPostsIn, isExpanded, changedAt }, sources);
    await forms.save(press, drawn.form);
    if (await updateView(client, shown, drawn.view)) return;
    // Something was drawn since the change. Sending the form deletes it.
    const current = await forms.get(press, form.formId);
    if (current?.changedAt !== changedAt) return;
    await updateView(client, { id: shown.id }, drawn.view);
  }

  /** Explains to the person why it can't be redrawn, if the lists can't be read. */
  async function readOptions(press: Press): Promise<FormOptions | undefined> {
    const { workspaceId } = press;
    const options = await referenceLists
      .cachedFormOptions(workspaceId)
      .then((cached) => cached ?? referenceLists.formOptions(workspaceId))
      .catch((error) => access.explainServiceError(press, error));
    if (typeof options !== 'string') return options;
    await press.reply(notRedrawn(options));
    return undefined;
  }

  /**
   * Replaces a loading view with the stored form. If the service can't answer now, the view says so, and a job retries
   * until it works or the view is closed. @throws Slack's error if the view can't be updated
   */
  const complete = (actor: Actor, formId: string, { id, hash }: ShownView): Promise<void> =>
    attempt(actor, { viewId: id, hash, userId: actor.userId, formId, openedAt: now().getTime() });

  async function attempt(actor: Actor, incomplete: IncompleteForm, isRetry = false) {
    const { client, workspaceId } = actor;
    const options = await referenceLists
      .formOptions(workspaceId, { isRetry })
      .catch((error: unknown) => ({ error }));
    await inTurn('attempt', () => sleep(BETWEEN_FORMS_MS));
    if ('error' in options) return afterFailure(actor, incomplete, options.error);
    const { formId, viewId, hash } = incomplete;
    const stored = (await forms.find(actor, formId)) ?? { formId, draft: {}, isNew: true };
    const admin = options.withoutKey && (await access.adminToAsk(actor));
    const drawn = await forms.draw(actor, { ...stored, admin }, options);
    await forms.save(actor, drawn.form);
    await updateView(client, { id: viewId, hash }, drawn.view);
  }

  async function afterFailure(actor: Actor, form: IncompleteForm, error: unknown): Promise<void> {
    const { viewId, hash, formId, openedAt } = form;
    const transient = isTransient(error) ? error : undefined;
    const earliest = Math.max(now().getTime() + 1, transient?.retryAt?.getTime() ?? 0);
    // Rounded up, so that forms are retried together.
    const at = Math.ceil(earliest / PAUSE_MS) * PAUSE_MS;
    const retryAt = transient && at < openedAt + GIVE_UP_AFTER_MS ? new Date(at) : undefined;
    const words =
      transient && retryAt
        ? wordsWhileRetrying(transient)
        : await access
            .explainServiceError(actor, error)
            .catch(() => reportUnexpected(log, error, 'could not complete a form'));
    const view = buildNoticeView(words, { retry: true, formId });
    // Updated at each attempt, which shows whether the view is still open.
    const { client, workspaceId } = actor;
    const shown = await updateView(client, { id: viewId, hash }, view);
    if (!shown || !retryAt) return;
    const payload = { ...form, hash: shown.hash };
    await jobs.add({ kind: SLACK_JOBS.completeForm, workspaceId, payload, runAt: retryAt });
  }

  async function submit(submission: Submission): Promise<void> {
    const { view, ack, workspaceId, userId } = submission;
    const formId = formIdOf(view);
    const found = await forms.find(submission, formId);
    const stored: UnfinishedForm = found ?? withAllFields(formId);
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
    if ('problems' in parsed) {
      return showAgain(submission, form, { ...sources, problems: parsed.problems });
    }
    const sent = { channelId: form.channelId, viewId: view.id, form: parsed.form };
    const { request, isCurrent } = await submitRequest(
      { transact, now },
      { formId, workspaceId, userId, ...sent, interaction: submission.once },
    );
    const words = isCurrent
      ? NOTICES.sending
      : NOTICES.sentBefore(request.reference, wordsForState(request));
    await ack({ response_action: 'update', view: buildNoticeView(words) });
    await forms.removeSent(submission, request.form);
  }

  /**
   * In the acknowledgment, says what is wrong at the fields or, since Slack shows errors only at fields that the view
   * has, draws the form again. What that hides is stored first.
   */
  async function showAgain(submission: Submission, form: UnfinishedForm, sources: FormSources) {
    const { problems, options } = sources;
    const errors = problemsByBlock(problems ?? {}, submission.view.state.values);
    const allShown = Object.keys(errors).length === Object.keys(problems ?? {}).length;
    if (problems && (allShown || options.requestTypes.length === 0)) {
      return submission.ack({ response_action: 'errors', errors });
    }
    const drawn = drawForm(form, sources);
    await forms.save(submission, drawn.form);
    await submission.ack({ response_action: 'update', view: drawn.view });
  }

  return {
    complete,

    /** Retries a form. Everything is in the job, so any replica can continue. */
    async retry({ workspaceId, payload }: ClaimedJob) {
      const form = incompleteForm.parse(payload);
      const client = await clients.of(workspaceId);
      await attempt({ client, workspaceId, userId: form.userId }, form, true);
      return 'done' as const;
    },

    async onChanged(press: Press): Promise<void> {
      const { view } = press;
      if (view) await inTurn(view.id, () => redraw(press, view));
    },

    /** Replaces a new form with one that was closed, and saves what was typed in the new one. */
    async onContinue(press: Press): Promise<void> {
      const { view, value: formId } = press;
      if (!view || !formId) return;
      const found = await forms.get(press, formId);
      if (!found) return press.reply(NOTICES.notSavedAnyMore);
      await forms.saveIfTyped(press, await forms.readShown(press, view));
      await forms.save(press, { ...found, isContinued: true });
      await complete(press, formId, view);
    },

    /** Deletes a form that was closed before, and redraws the one that offered it; the Home tab is redrawn anyway. */
    async onDiscard(press: Press): Promise<void> {
      const { client, view: open } = press;
      await forms.remove(press, press.value ?? '');
      if (open?.type !== 'modal') return;
      const options = await readOptions(press);
      if (!options) return;
      const stored = await forms.readShown(press, open);
      const form = { ...stored, visible: [...fieldsAmong(open.blocks)] };
      const [sources, saved] = await Promise.all([
        forms.readSources(press, form, options),
        forms.of(press),
      ]);
      const unfinished = saved.filter(({ formId }) => formId !== form.formId);
      const { view } = drawForm(form, { ...sources, unfinished });
      await updateView(client, open, view);
    },

    async onRetry(press: Press): Promise<void> {
      if (!press.view) return;
      const formId = formIdOf(press.view);
      const view = await updateView(press.client, press.view, buildLoadingView(formId));
      // Undefined if pressed twice or closed: someone else updates it, or nobody needs it.
      if (view) await complete(press, formId, view);
    },

    /** Slack sends no other values with a search, so the type is the one that the view shows. */
    searchedChoices:
      ({ choices }: FormField) =>
      async ({ view, workspaceId }: Search): Promise<readonly Choice[]> => {
        const options = await referenceLists.formOptions(workspaceId);
        const shownType = view && shownTypeOf(view);
        const requestType = choiceOf(options.requestTypes, shownType ?? '');
        return choices?.({ options, draft: { requestType } }) ?? [];
      },

    /** Send. Acknowledges only what is stored: otherwise the form stays open, with everything typed. */
    async onSubmit(submission: Submission): Promise<void> {
      // So that the outcome of an earlier press isn't drawn over this one.
      outcomes.of(submission.view.id);
      try {
        await submit(submission);
      } catch (error) {
        const about = { words: PROBLEMS.notSaved };
        const words = reportUnexpected(log, error, 'could not store a submission', about);
        await refuseSubmission(submission, words);
      }
    },
  };
}
