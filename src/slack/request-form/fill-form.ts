import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import type { FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import { isTransient } from '../../service/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { AccessControl, Actor, AllowedUser } from '../surface/access.ts';
import { SLACK_JOBS } from '../surface/jobs.ts';
import type { Modal } from '../surface/open-modal.ts';
import { inTime, reportUnexpected } from '../surface/replies.ts';
import { type ShownView, updateView } from '../surface/views.ts';
import { wordsWhileRetrying } from '../words/errors.ts';
import type { Posting } from './confirmation.ts';
import type { ListsForForms } from './draft.ts';
import { fillNewForm } from './filled-form.ts';
import { buildNoticeView, type Drawing, drawForm, focusIn, offersAmong } from './form-view.ts';
import { REQUEST_FORM } from './ids.ts';
import type { Author, SavedForms } from './unfinished.ts';

/**
 * How long a form is retried after it was opened, in ms. Slack documents no lifetime of views; later,
 * people can press "Try again".
 */
const GIVE_UP_AFTER_MS = 30 * 60_000;
/** Pauses between attempts, in ms; the last one repeats. */
const PAUSES_MS = [5_000, 10_000, 15_000] as const;

/** A form that lacks what the service hasn't answered yet. */
const incompleteForm = z.object({
  viewId: z.string(),
  /** The hash of our last update: if someone else has updated the view since, leave it to them. */
  hash: z.string().optional(),
  userId: z.string(),
  formId: z.string(),
  /** In ms since the epoch. */
  openedAt: z.number(),
  tries: z.number(),
  /** The form is drawn; only its brands are missing. */
  lacksBrands: z.boolean(),
});
type IncompleteForm = z.infer<typeof incompleteForm>;

type Opened = {
  formId: string;
  /** Undefined if it was closed. */
  view: ShownView | undefined;
};

export type FormFilling = ReturnType<typeof createFormFilling>;

export function createFormFilling(deps: {
  lists: ListsForForms;
  savedForms: SavedForms;
  posting: Posting;
  access: AccessControl;
  jobs: JobQueue;
  now: () => Date;
  log: Log;
}) {
  const { lists, savedForms, posting, access, jobs, now, log } = deps;

  /** Draws a form from cached lists, and adds what is missing later. */
  async function fill(user: AllowedUser, modal: Modal, given: UnfinishedForm): Promise<void> {
    const { client, workspaceId, person } = user;
    const { formId } = given;
    const options = await lists.cachedOptions(workspaceId);
    if (!options) {
      const [view] = await Promise.all([modal.load(), savedForms.save(user, given)]);
      return complete(user, { formId, view });
    }
    const admin = options.withoutKey && (await access.knownAdminToAsk(workspaceId, person));
    const draw = await drawFilled(user, { ...given, admin }, options);
    const drawn = draw();
    // Saved first, or someone quick could change a form that isn't stored. But the modal opens even if the database
    // hangs.
    await inTime(savedForms.save(user, drawn.form), undefined);
    let view = await modal.draw(drawn.view);
    const noPostsIn = await wrongChannel(user, drawn);
    // Not stored: the form may be in use by now, and every redraw asks again.
    if (noPostsIn !== undefined && view)
      view = await updateView(client, view, draw(noPostsIn).view);
    if (options.brandsPending) await addBrands(user, { formId, view });
  }

  /**
   * Draws a stored form: a new one with defaults and with what its author closed before, one that was closed as it was
   * left, and a refused one with what is wrong.
   *
   * @returns a function that draws it, and says so if the app can't post in the channel that it names
   */
  async function drawFilled(
    author: Author,
    given: UnfinishedForm,
    options: FormOptions,
  ): Promise<(noPostsIn?: string) => ReturnType<typeof drawForm>> {
    const { isNew, isPrefilled, noPostsIn: known } = given;
    const { workspaceId, userId } = author;
    const [read, saved] = await Promise.all([
      savedForms.readDrawing(author, given, options),
      isNew && !isPrefilled ? savedForms.of(workspaceId, userId) : [],
    ]);
    const draft = filledDraft(read, given);
    const focus = read.returned ? undefined : focusIn(draft);
    const more = { unfinished: offersAmong(saved), focus };
    const form = { ...given, draft, isNew: false, defaults: [...read.defaults.stored] };
    return (noPostsIn = known) => drawForm(read, { ...form, noPostsIn }, more);
  }

  /** The channel that a form names, if the app can't post there: nothing asks Slack before a form opens. */
  async function wrongChannel(
    actor: Actor,
    { view, form }: { view: ModalView; form: UnfinishedForm },
  ): Promise<string | undefined> {
    if (view.callback_id !== REQUEST_FORM) return undefined;
    const noPostsIn = await posting.channelWithoutPosts(actor, form.draft.shareIn);
    return noPostsIn === form.noPostsIn ? undefined : noPostsIn;
  }

  /**
   * Replaces a loading view by the stored form. If the service can't answer right now, the view says so, and a job
   * retries until it works or the view is closed.
   *
   * @param lacksBrands whether the form is drawn, and only its brands are missing
   * @throws Slack's error if the view can't be updated
   */
  async function complete(
    actor: Actor,
    { formId, view }: Opened,
    lacksBrands = false,
  ): Promise<void> {
    if (!view) return;
    const { id: viewId, hash } = view;
    const { userId, workspaceId } = actor;
    const openedAt = now().getTime();
    const form = { viewId, hash, userId, formId, openedAt, tries: 0, lacksBrands };
    await attempt(actor, form, lists.options(workspaceId));
  }

  /** Adds the brands and keeps what was typed. Never rejects: the form can be sent without a brand. */
  const addBrands = (actor: Actor, opened: Opened): Promise<void> =>
    complete(actor, opened, true).catch((error) =>
      log.warn({ err: error, workspace: actor.workspaceId }, 'could not add the brands to a form'),
    );

  async function attempt(
    actor: Actor,
    form: IncompleteForm,
    read: Promise<FormOptions>,
  ): Promise<void> {
    const options = await read.catch((error: unknown) => ({ error }));
    if ('error' in options) await afterFailure(actor, form, options.error);
    else await drawWith(actor, form, options);
  }

  async function drawWith(
    actor: Actor,
    incomplete: IncompleteForm,
    read: FormOptions,
  ): Promise<void> {
    const { client, workspaceId } = actor;
    const { viewId, hash, lacksBrands } = incomplete;
    const retryAt = read.brandsPending ? nextAttempt(incomplete) : undefined;
    if (retryAt && lacksBrands) return retryLater(workspaceId, incomplete, retryAt);
    const options = { ...read, brandsPending: retryAt !== undefined };
    const form = await readIncomplete(actor, incomplete, options);
    if (!form) return;
    const draw = await drawFilled(actor, form, options);
    let drawn = draw();
    const noPostsIn = await wrongChannel(actor, drawn);
    if (noPostsIn !== undefined) drawn = draw(noPostsIn);
    if (!lacksBrands) await savedForms.save(actor, drawn.form);
    const shown = await updateView(client, { id: viewId, hash }, drawn.view);
    if (!retryAt || !shown) return;
    const next = { ...incomplete, hash: shown.hash, lacksBrands: true };
    await retryLater(workspaceId, next, retryAt);
  }

  /** @returns undefined if there is nothing to add brands to */
  async function readIncomplete(
    actor: Actor,
    { formId, lacksBrands }: IncompleteForm,
    { withoutKey }: FormOptions,
  ): Promise<UnfinishedForm | undefined> {
    const { client, workspaceId, userId } = actor;
    const stored = await savedForms.read(actor, formId);
    if (!stored && lacksBrands) return undefined;
    const admin = withoutKey && (await access.adminToAsk(client, workspaceId, userId));
    const form: UnfinishedForm = { isNew: true, draft: {}, admin, ...stored, formId };
    // The form may be in use by now, so nothing is set that its author doesn't see.
    if (lacksBrands && !form.draft.brand) form.visible = [...(form.visible ?? []), 'brand'];
    return form;
  }

  async function afterFailure(actor: Actor, form: IncompleteForm, error: unknown): Promise<void> {
    const { viewId, hash, formId, lacksBrands } = form;
    const transient = isTransient(error) ? error : undefined;
    const retryAt = transient && nextAttempt(form, transient.retryAt);
    if (lacksBrands) return retryAt && retryLater(actor.workspaceId, form, retryAt);
    const words =
      transient && retryAt
        ? wordsWhileRetrying(transient)
        : await access
            .explainServiceError(actor, error)
            .catch(() => reportUnexpected(log, error, 'could not complete a form'));
    const view = buildNoticeView(words, { retry: true, formId });
    // Updated at each attempt, which shows whether the view is still open.
    const shown = await updateView(actor.client, { id: viewId, hash }, view);
    if (!shown || !retryAt) return;
    await retryLater(actor.workspaceId, { ...form, hash: shown.hash }, retryAt);
  }

  /** When to retry, rounded up so that forms are retried together; undefined after half an hour. */
  function nextAttempt(form: IncompleteForm, notBefore?: Date): Date | undefined {
    const pause = PAUSES_MS[form.tries] ?? PAUSES_MS[2];
    const earliest = Math.max(now().getTime() + pause, notBefore?.getTime() ?? 0);
    const at = Math.ceil(earliest / pause) * pause;
    return at < form.openedAt + GIVE_UP_AFTER_MS ? new Date(at) : undefined;
  }

  async function retryLater(
    workspaceId: WorkspaceId,
    form: IncompleteForm,
    runAt: Date,
  ): Promise<void> {
    const payload = { ...form, tries: form.tries + 1 };
    await jobs.add({ kind: SLACK_JOBS.completeForm, workspaceId, payload, runAt });
  }

  return {
    ...{ fill, complete, addBrands },

    /** Retries a form. Everything is in the job, so any replica can continue. */
    retryWith:
      (clients: SlackClients): JobHandler =>
      async ({ workspaceId, payload }) => {
        const form = incompleteForm.parse(payload);
        const client = await clients.of(workspaceId);
        const read = lists.options(workspaceId, { isRetry: true });
        await attempt({ client, workspaceId, userId: form.userId }, form, read);
        return 'done';
      },
  };
}

/** What its author left empty stays empty, except for the brand, which may be known only now. */
function filledDraft(
  { lists, defaults }: Drawing,
  { draft, isNew, isReturned, isContinued }: UnfinishedForm,
): FormDraft {
  if (isReturned || isContinued) return draft;
  if (isNew) return fillNewForm({ ...lists, draft }, defaults);
  const filled = fillNewForm({ ...lists, draft: { shareIn: undefined, ...draft } }, defaults);
  return draft.requestType ? { ...draft, brand: draft.brand ?? filled.brand } : filled;
}
