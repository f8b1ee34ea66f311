import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost, forAtMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import { isPassing } from '../../service/errors.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { SLACK_JOBS } from '../jobs.ts';
import { explainServiceError } from '../listener/explain.ts';
import type { Actor } from '../listener/guard.ts';
import type { Modal } from '../listener/open-modal.ts';
import { reportUnexpected } from '../listener/unexpected.ts';
import { type ShownView, updateView } from '../views/update-view.ts';
import { wordsWhileRetrying } from '../words/errors.ts';
import { type DrawDeps, drawForm } from './draw-form.ts';
import { REQUEST_FORM } from './ids.ts';
import { type FormMetadata, formMetadata, readMetadata } from './metadata.ts';
import { buildNoticeView } from './modal.ts';
import { channelWithoutPosts } from './post-confirmation.ts';

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
  metadata: formMetadata,
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

type Draw = (options: FormOptions, noPostsIn?: string) => ModalView | Promise<ModalView>;

type Opened = {
  workspaceId: WorkspaceId;
  /** Undefined if it was closed. */
  view: ShownView | undefined;
  metadata: FormMetadata;
  /** Defaults to drawing the form from its metadata. */
  draw?: Draw;
  /** Defaults to reading with the key that is connected now. */
  read?: () => Promise<FormOptions>;
};

/** Draws a form from cached lists, and adds what is missing later. */
export async function fillForm(
  deps: CompleteDeps,
  client: SlackClient,
  modal: Modal,
  form: Omit<Opened, 'view' | 'read'> & { draw: Draw },
): Promise<void> {
  const { cached, read } = await deps.referenceLists.openFormOptions(form.workspaceId);
  if (!cached) return completeForm(deps, client, { ...form, read, view: await modal.load() });
  const drawn = await form.draw(cached);
  let view = await modal.draw(drawn);
  const corrected = await correctChannel(deps, client, form.workspaceId, drawn, (noPostsIn) =>
    form.draw(cached, noPostsIn),
  );
  if (corrected && view?.id) {
    const { id: viewId, hash } = view;
    view = await updateView(client, { viewId, hash, view: corrected });
  }
  if (cached.brandsPending) await addBrands(deps, client, { ...form, read, view });
}

/**
 * Draws a form again if the app can't post in the channel that it names: nothing asks Slack before a form opens.
 *
 * @returns undefined if it is right
 */
async function correctChannel(
  deps: CompleteDeps,
  client: SlackClient,
  workspaceId: WorkspaceId,
  { callback_id, private_metadata: metadata }: ModalView,
  draw: (noPostsIn: string) => ModalView | Promise<ModalView>,
): Promise<ModalView | undefined> {
  if (callback_id !== REQUEST_FORM || metadata === undefined) return undefined;
  const { shareIn } = readMetadata(metadata);
  const noPostsIn = await channelWithoutPosts(deps, client, workspaceId, shareIn);
  return noPostsIn === undefined ? undefined : draw(noPostsIn);
}

/**
 * Replaces a loading view by the form. If the service can't answer right now, the view says so, and
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
    view,
    metadata,
    draw,
    read = () => deps.referenceLists.formOptions(workspaceId),
  }: Opened,
  { lacksBrands }: Pick<IncompleteForm, 'lacksBrands'>,
): Promise<void> {
  if (!view?.id) return;
  const openedAt = deps.now().getTime();
  const form = { viewId: view.id, hash: view.hash, metadata, openedAt, tries: 0, lacksBrands };
  await attemptForm(deps, client, { workspaceId, form, read, draw });
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
  draw?: Draw | undefined;
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
  { workspaceId, form, draw }: Attempt,
  options: FormOptions,
): Promise<void> {
  const { viewId, hash, metadata, lacksBrands } = form;
  const retryAt = options.brandsPending ? nextAttempt(deps, form) : undefined;
  if (retryAt && lacksBrands) return retryLater(deps, workspaceId, form, retryAt);
  const shownOptions = { ...options, brandsPending: retryAt !== undefined };
  const drawNow = (noPostsIn?: string) =>
    draw?.(shownOptions, noPostsIn) ??
    drawForm(deps, workspaceId, { ...metadata, noPostsIn }, shownOptions);
  const drawn = await drawNow();
  const view = (await correctChannel(deps, client, workspaceId, drawn, drawNow)) ?? drawn;
  const shown = await updateView(client, { viewId, hash, view });
  if (!retryAt || !shown) return;
  await retryLater(deps, workspaceId, { ...form, hash: shown.hash, lacksBrands: true }, retryAt);
}

async function afterFailure(
  deps: CompleteDeps,
  client: SlackClient,
  { workspaceId, form }: Attempt,
  error: unknown,
): Promise<void> {
  const { viewId, hash, metadata, lacksBrands } = form;
  const transient = isPassing(error) ? error : undefined;
  const retryAt = transient && nextAttempt(deps, form, transient.retryAt);
  if (lacksBrands) return retryAt && retryLater(deps, workspaceId, form, retryAt);
  const words =
    transient && retryAt
      ? wordsWhileRetrying(transient)
      : await wordsForFailure(deps, { client, workspaceId, userId: metadata.userId ?? '' }, error);
  const view = buildNoticeView(words, { retry: true, metadata });
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
