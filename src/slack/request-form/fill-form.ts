import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost, forAtMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import { isPassing } from '../../service/errors.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { SLACK_JOBS } from '../jobs.ts';
import { type Actor, type AllowedUser, explainServiceError } from '../listener/access.ts';
import { inTime } from '../listener/in-time.ts';
import type { Modal } from '../listener/open-modal.ts';
import { reportUnexpected } from '../listener/unexpected.ts';
import { type ShownView, updateView } from '../views/update-view.ts';
import { wordsWhileRetrying } from '../words/errors.ts';
import { type DrawDeps, drawForm } from './draw-form.ts';
import { REQUEST_FORM } from './ids.ts';
import { buildNoticeView } from './modal.ts';
import { channelWithoutPosts } from './post-confirmation.ts';
import { readForm, saveForm } from './unfinished.ts';

/**
 * How long a form is retried after it was opened, in ms. Slack documents no lifetime of views; later,
 * people can press "Try again".
 */
const GIVE_UP_AFTER_MS = 30 * 60_000;
/** Pauses between attempts, in ms; the last one repeats. */
const PAUSES_MS = [5_000, 10_000, 15_000] as const;
/** Forms of a workspace that are retried within this time share one read, in ms. */
const SHARED_READ_MS = 4_000;
const MAX_SHARED_READS = 1_000;

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

export type CompleteDeps = DrawDeps &
  Pick<
    SlackDeps,
    | 'referenceLists'
    | 'knownAdminToAsk'
    | 'adminToAsk'
    | 'conversations'
    | 'jobs'
    | 'unfinishedForms'
    | 'now'
    | 'log'
  >;

type Opened = {
  workspaceId: WorkspaceId;
  userId: string;
  formId: string;
  /** Undefined if it was closed. */
  view: ShownView | undefined;
  /** Defaults to reading with the key that is connected now. */
  read?: () => Promise<FormOptions>;
};

/** Draws a form from cached lists, and adds what is missing later. */
export async function fillForm(
  deps: CompleteDeps,
  client: SlackClient,
  { workspaceId, person }: AllowedUser,
  modal: Modal,
  given: UnfinishedForm,
): Promise<void> {
  const userId = person.id;
  const opened = { workspaceId, userId, formId: given.formId };
  const { cached: options, read } = await deps.referenceLists.openFormOptions(workspaceId);
  if (!options) {
    const [view] = await Promise.all([modal.load(), saveForm(deps, workspaceId, userId, given)]);
    return completeForm(deps, client, { ...opened, read, view });
  }
  const admin = options.withoutKey && (await deps.knownAdminToAsk(workspaceId, person));
  const form = { ...given, admin };
  const drawn = await drawForm(deps, workspaceId, userId, form, options);
  // Whoever is faster would change a form of which nothing is stored. But the modal opens even if the database hangs.
  await inTime(saveForm(deps, workspaceId, userId, drawn.form), undefined);
  let view = await modal.draw(drawn.view);
  const noPostsIn = await wrongChannel(deps, client, workspaceId, drawn);
  if (noPostsIn !== undefined && view?.id) {
    // Not stored: it may be in use by now, and every redraw asks again.
    const right = { ...form, noPostsIn };
    const { view: corrected } = await drawForm(deps, workspaceId, userId, right, options);
    const { id: viewId, hash } = view;
    view = await updateView(client, { viewId, hash, view: corrected });
  }
  if (options.brandsPending) await addBrands(deps, client, { ...opened, read, view });
}

/** The channel that a form names, if the app can't post there: nothing asks Slack before a form opens. */
async function wrongChannel(
  deps: CompleteDeps,
  client: SlackClient,
  workspaceId: WorkspaceId,
  { view, form }: { view: ModalView; form: UnfinishedForm },
): Promise<string | undefined> {
  if (view.callback_id !== REQUEST_FORM) return undefined;
  const noPostsIn = await channelWithoutPosts(deps, client, workspaceId, form.draft.shareIn);
  return noPostsIn === form.noPostsIn ? undefined : noPostsIn;
}

/**
 * Replaces a loading view by the stored form. If the service can't answer right now, the view says so, and
 * a job retries until it works or the view is closed.
 *
 * @throws Slack's error if the view can't be updated
 */
export async function completeForm(
  deps: CompleteDeps,
  client: SlackClient,
  opened: Opened,
): Promise<void> {
  await firstAttempt(deps, client, opened, { lacksBrands: false });
}

/**
 * Adds the brands to a form that was drawn without them and keeps what was typed. Retries like
 * `completeForm`. Never rejects: the form can be sent without a brand.
 */
export async function addBrands(
  deps: CompleteDeps,
  client: SlackClient,
  opened: Opened,
): Promise<void> {
  await firstAttempt(deps, client, opened, { lacksBrands: true }).catch((error) =>
    deps.log.warn(
      { err: error, workspace: opened.workspaceId },
      'could not add the brands to a form',
    ),
  );
}

async function firstAttempt(
  deps: CompleteDeps,
  client: SlackClient,
  {
    workspaceId,
    userId,
    formId,
    view,
    read = () => deps.referenceLists.formOptions(workspaceId),
  }: Opened,
  { lacksBrands }: Pick<IncompleteForm, 'lacksBrands'>,
): Promise<void> {
  if (!view?.id) return;
  const openedAt = deps.now().getTime();
  const form = {
    viewId: view.id,
    hash: view.hash,
    userId,
    formId,
    openedAt,
    tries: 0,
    lacksBrands,
  };
  await attemptForm(deps, client, { workspaceId, form, read });
}

/**
 * Retries a form. Everything is in the job, so any replica can continue; only reads are shared in
 * memory.
 */
export function completeFormHandler(deps: CompleteDeps & { clients: SlackClients }): JobHandler {
  const { referenceLists, clients, now } = deps;
  const reads = new LRUCache<WorkspaceId, Promise<FormOptions>>({
    ...atMost(MAX_SHARED_READS),
    ...forAtMost(SHARED_READ_MS, now),
  });
  function readShared(workspaceId: WorkspaceId): Promise<FormOptions> {
    const shared =
      reads.get(workspaceId) ?? referenceLists.formOptions(workspaceId, { isRetry: true });
    if (!reads.has(workspaceId)) reads.set(workspaceId, shared);
    return shared;
  }
  return async ({ workspaceId, payload }) => {
    const form = incompleteForm.parse(payload);
    const client = await clients.of(workspaceId);
    await attemptForm(deps, client, { workspaceId, form, read: () => readShared(workspaceId) });
    return 'done';
  };
}

type Attempt = {
  workspaceId: WorkspaceId;
  form: IncompleteForm;
  read: () => Promise<FormOptions>;
};

async function attemptForm(
  deps: CompleteDeps,
  client: SlackClient,
  current: Attempt,
): Promise<void> {
  const options = await current.read().catch((error: unknown) => ({ error }));
  if ('error' in options) await afterFailure(deps, client, current, options.error);
  else await drawWith(deps, client, current, options);
}

async function drawWith(
  deps: CompleteDeps,
  client: SlackClient,
  { workspaceId, form: incomplete }: Attempt,
  read: FormOptions,
): Promise<void> {
  const { viewId, hash, userId, formId, lacksBrands } = incomplete;
  const retryAt = read.brandsPending ? nextAttempt(deps, incomplete) : undefined;
  if (retryAt && lacksBrands) return retryLater(deps, workspaceId, incomplete, retryAt);
  const options = { ...read, brandsPending: retryAt !== undefined };
  const stored = await readForm(deps, workspaceId, userId, formId);
  if (!stored && lacksBrands) return;
  const admin = options.withoutKey && (await deps.adminToAsk(client, workspaceId, userId));
  let form: UnfinishedForm = { isNew: true, draft: {}, admin, ...stored, formId };
  // It may be in use by now, so nothing is set that its author doesn't see.
  if (lacksBrands && !form.draft.brand) form.visible = [...(form.visible ?? []), 'brand'];
  const draw = () => drawForm(deps, workspaceId, userId, form, options);
  let drawn = await draw();
  const noPostsIn = await wrongChannel(deps, client, workspaceId, drawn);
  if (noPostsIn !== undefined) {
    form = { ...form, noPostsIn };
    drawn = await draw();
  }
  if (!lacksBrands) await saveForm(deps, workspaceId, userId, drawn.form);
  const shown = await updateView(client, { viewId, hash, view: drawn.view });
  if (!retryAt || !shown) return;
  const next = { ...incomplete, hash: shown.hash, lacksBrands: true };
  await retryLater(deps, workspaceId, next, retryAt);
}

async function afterFailure(
  deps: CompleteDeps,
  client: SlackClient,
  { workspaceId, form }: Attempt,
  error: unknown,
): Promise<void> {
  const { viewId, hash, userId, formId, lacksBrands } = form;
  const transient = isPassing(error) ? error : undefined;
  const retryAt = transient && nextAttempt(deps, form, transient.retryAt);
  if (lacksBrands) return retryAt && retryLater(deps, workspaceId, form, retryAt);
  const words =
    transient && retryAt
      ? wordsWhileRetrying(transient)
      : await wordsForFailure(deps, { client, workspaceId, userId }, error);
  const view = buildNoticeView(words, { retry: true, formId });
  // Updated at each attempt, which shows whether the view is still open.
  const shown = await updateView(client, { viewId, hash, view });
  if (shown && retryAt) await retryLater(deps, workspaceId, { ...form, hash: shown.hash }, retryAt);
}

const wordsForFailure = (deps: CompleteDeps, actor: Actor, error: unknown): Promise<string> =>
  explainServiceError(deps, actor, error).catch(() =>
    reportUnexpected(deps.log, error, 'could not complete a form'),
  );

/** When to retry, rounded up so that forms are retried together; undefined after half an hour. */
function nextAttempt(
  { now }: CompleteDeps,
  form: IncompleteForm,
  notBefore?: Date,
): Date | undefined {
  const pause = PAUSES_MS[form.tries] ?? PAUSES_MS[2];
  const earliest = Math.max(now().getTime() + pause, notBefore?.getTime() ?? 0);
  const at = Math.ceil(earliest / pause) * pause;
  return at < form.openedAt + GIVE_UP_AFTER_MS ? new Date(at) : undefined;
}

async function retryLater(
  { jobs }: CompleteDeps,
  workspaceId: WorkspaceId,
  form: IncompleteForm,
  runAt: Date,
): Promise<void> {
  const payload = { ...form, tries: form.tries + 1 };
  await jobs.add({ kind: SLACK_JOBS.completeForm, workspaceId, payload, runAt });
}
