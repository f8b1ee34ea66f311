import { z } from 'zod';
import type { JobQueue } from '../../jobs/queue.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
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
import { filledDraft } from './filled-form.ts';
import { buildNoticeView, drawForm, focusIn, offersAmong } from './form-view.ts';
import type { Author, SavedForms } from './unfinished.ts';

/**
 * How long a form is retried after it was opened, in ms. Slack documents no lifetime of views; later,
 * people can press "Try again".
 */
const GIVE_UP_AFTER_MS = 30 * 60_000;
/** Between attempts, in ms. */
const PAUSE_MS = 10_000;

/** A form that lacks what the service hasn't answered yet. */
const incompleteForm = z.object({
  viewId: z.string(),
  /** The hash of our last update: if someone else has updated the view since, leave it to them. */
  hash: z.string().optional(),
  userId: z.string(),
  formId: z.string(),
  /** In ms since the epoch. */
  openedAt: z.number(),
});
type IncompleteForm = z.infer<typeof incompleteForm>;

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

  /** Draws a form from cached lists; without any, it opens loading, and is completed later. */
  async function fill(user: AllowedUser, modal: Modal, given: UnfinishedForm): Promise<void> {
    const { client, workspaceId, person } = user;
    const { formId } = given;
    const options = await lists.cachedOptions(workspaceId);
    if (!options) {
      const [view] = await Promise.all([modal.load(), savedForms.save(user, given)]);
      if (view) await complete(user, formId, view);
      return;
    }
    const admin = options.withoutKey && (await access.knownAdminToAsk(workspaceId, person));
    const form = { ...given, admin };
    const drawn = await drawFilled(user, form, options);
    // Saved first, or someone quick could change a form that isn't stored. But the modal opens even if the database
    // hangs.
    await inTime(savedForms.save(user, drawn.form), undefined);
    const view = await modal.draw(drawn.view);
    const again = await withoutPosts(user, form, options, drawn.form);
    // Not stored: the form may be in use by now, and every redraw asks again.
    if (again && view) await updateView(client, view, again.view);
  }

  /**
   * Draws a stored form: a new one with defaults and with what its author closed before, one that was closed as it was
   * left, and a refused one with what is wrong.
   */
  async function drawFilled(author: Author, given: UnfinishedForm, options: FormOptions) {
    const { isNew, isPrefilled } = given;
    const { workspaceId, userId } = author;
    const [read, saved] = await Promise.all([
      savedForms.readDrawing(author, given, options),
      isNew && !isPrefilled ? savedForms.of(workspaceId, userId) : [],
    ]);
    const draft = filledDraft(read.lists, given, read.defaults);
    const form = { ...given, draft, isNew: false };
    const focus = read.returned ? undefined : focusIn(draft);
    return drawForm(read, form, { unfinished: offersAmong(saved), focus });
  }

  /** The form as it says that the app can't post where it names, if so: nothing asks Slack before a form opens. */
  async function withoutPosts(
    actor: Actor,
    given: UnfinishedForm,
    options: FormOptions,
    drawn: UnfinishedForm,
  ) {
    const noPostsIn = await posting.channelWithoutPosts(actor, drawn.draft.shareIn);
    if (noPostsIn === undefined || noPostsIn === drawn.noPostsIn) return undefined;
    return drawFilled(actor, { ...given, noPostsIn }, options);
  }

  /**
   * Replaces a loading view by the stored form. If the service can't answer right now, the view says so, and a job
   * retries until it works or the view is closed.
   *
   * @throws Slack's error if the view can't be updated
   */
  function complete(actor: Actor, formId: string, { id, hash }: ShownView): Promise<void> {
    const { userId, workspaceId } = actor;
    const form = { viewId: id, hash, userId, formId, openedAt: now().getTime() };
    return attempt(actor, form, lists.options(workspaceId));
  }

  async function attempt(
    actor: Actor,
    incomplete: IncompleteForm,
    read: Promise<FormOptions>,
  ): Promise<void> {
    const options = await read.catch((error: unknown) => ({ error }));
    if ('error' in options) return afterFailure(actor, incomplete, options.error);
    const { client, workspaceId, userId } = actor;
    const { formId, viewId, hash } = incomplete;
    const stored = (await savedForms.read(actor, formId)) ?? { formId, draft: {}, isNew: true };
    const admin = options.withoutKey && (await access.adminToAsk(client, workspaceId, userId));
    const form = { ...stored, noPostsIn: undefined, admin };
    const first = await drawFilled(actor, form, options);
    const drawn = (await withoutPosts(actor, form, options, first.form)) ?? first;
    await savedForms.save(actor, drawn.form);
    await updateView(client, { id: viewId, hash }, drawn.view);
  }

  async function afterFailure(actor: Actor, form: IncompleteForm, error: unknown): Promise<void> {
    const { viewId, hash, formId } = form;
    const transient = isTransient(error) ? error : undefined;
    const retryAt = transient && nextAttempt(form, transient.retryAt);
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

  /** When to retry, rounded up so that forms are retried together; undefined after half an hour. */
  function nextAttempt(form: IncompleteForm, notBefore?: Date): Date | undefined {
    const earliest = Math.max(now().getTime() + 1, notBefore?.getTime() ?? 0);
    const at = Math.ceil(earliest / PAUSE_MS) * PAUSE_MS;
    return at < form.openedAt + GIVE_UP_AFTER_MS ? new Date(at) : undefined;
  }

  return {
    ...{ fill, complete },

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
