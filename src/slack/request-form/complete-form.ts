import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { forwardOnly } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { FormOptions } from '../../service/cache/catalogue.ts';
import { isPassing } from '../../service/errors.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { Modal } from '../listener/open-modal.ts';
import { reportUnexpected } from '../listener/unexpected.ts';
import { type ShownView, updateView } from '../views/update-view.ts';
import { wordsForPassingTrouble, wordsForServiceTrouble } from '../words/errors.ts';
import { type DrawDeps, drawForm } from './draw-form.ts';
import { type FormMetadata, formMetadata } from './metadata.ts';
import { buildNoticeView } from './modal.ts';

/** The kind of job that tries again to complete a form. */
export const COMPLETE_FORM_JOB = 'complete-form';

/**
 * How long after it opened a form is tried again, in ms. Slack documents no lifetime of a view; whoever
 * still waits by then can press "Try again".
 */
const KEEP_TRYING_MS = 30 * 60_000;
/** Pauses between tries, in ms; the last one repeats. */
const PAUSES_MS = [5_000, 10_000, 15_000] as const;
/** Forms of one workspace that are tried again within this time share one read, in ms. */
const SHARED_READ_MS = 4_000;
const MOST_SHARED_READS = 1_000;

const incompleteForm = z.object({
  viewId: z.string(),
  /** Of the view as it was drawn here last: once anyone else has drawn it, it is theirs. */
  hash: z.string().optional(),
  metadata: formMetadata,
  /** In ms since 1970. */
  openedAt: z.number(),
  tries: z.number(),
  /** The form is there, and only its brands are missing. */
  lacksBrands: z.boolean(),
});
type IncompleteForm = z.infer<typeof incompleteForm>;

export type CompleteDeps = DrawDeps & Pick<SlackDeps, 'catalogue' | 'jobs' | 'now' | 'log'>;

type Draw = (options: FormOptions) => ModalView | Promise<ModalView>;

type Opened = {
  workspaceId: WorkspaceId;
  /** Undefined if it was closed. */
  view: ShownView | undefined;
  metadata: FormMetadata;
  /** Draws the form; from its metadata unless given. */
  draw?: Draw;
};

/** Draws a form from what is in memory; what is missing follows. */
export async function fillForm(
  deps: CompleteDeps,
  client: SlackClient,
  modal: Modal,
  form: Omit<Opened, 'view'> & { draw: Draw },
): Promise<void> {
  const known = await deps.catalogue.peekFormOptions(form.workspaceId);
  if (!known) return completeForm(deps, client, { ...form, view: await modal.load() });
  const view = await modal.draw(await form.draw(known));
  if (known.brandsPending) await addBrands(deps, client, { ...form, view });
}

/**
 * Turns a loading view into the form. If the service can't answer for now, the view says so, and a job
 * tries again until it works or the view is closed.
 *
 * @throws Slack's error if the view can't be drawn
 */
export async function completeForm(
  deps: CompleteDeps,
  client: SlackClient,
  opened: Opened,
): Promise<void> {
  await firstTry(deps, client, opened, { lacksBrands: false });
}

/**
 * Adds the brands to a form that was drawn before anyone had read them; what was typed since stays. Tries
 * again like `completeForm`. Never rejects: the form is there and can be sent without a brand.
 */
export async function addBrands(
  deps: CompleteDeps,
  client: SlackClient,
  opened: Opened,
): Promise<void> {
  await firstTry(deps, client, opened, { lacksBrands: true }).catch((error) =>
    deps.log.warn({ err: error, workspace: opened.workspaceId }, 'a form stays without its brands'),
  );
}

async function firstTry(
  deps: CompleteDeps,
  client: SlackClient,
  { workspaceId, view, metadata, draw }: Opened,
  { lacksBrands }: Pick<IncompleteForm, 'lacksBrands'>,
): Promise<void> {
  if (!view?.id) return;
  const openedAt = deps.now().getTime();
  const form = { viewId: view.id, hash: view.hash, metadata, openedAt, tries: 0, lacksBrands };
  const read = () => deps.catalogue.formOptions(workspaceId);
  await tryForm(deps, client, { workspaceId, form, read, draw });
}

/** Tries again. Stateless but for reads that forms share, so a restart or another replica goes on. */
export function completeFormHandler(deps: CompleteDeps & { clients: SlackClients }): JobHandler {
  const { catalogue, clients, now } = deps;
  const reads = new LRUCache<WorkspaceId, Promise<FormOptions>>({
    max: MOST_SHARED_READS,
    ttl: SHARED_READ_MS,
    ttlResolution: 0,
    perf: { now: forwardOnly(now) },
  });
  function readTogether(workspaceId: WorkspaceId): Promise<FormOptions> {
    const shared = reads.get(workspaceId) ?? catalogue.formOptions(workspaceId, { isRetry: true });
    if (!reads.has(workspaceId)) reads.set(workspaceId, shared);
    return shared;
  }
  return async ({ workspaceId, payload }) => {
    const form = incompleteForm.parse(payload);
    const client = await clients.of(workspaceId);
    await tryForm(deps, client, { workspaceId, form, read: () => readTogether(workspaceId) });
    return 'done';
  };
}

type Try = {
  workspaceId: WorkspaceId;
  form: IncompleteForm;
  read: () => Promise<FormOptions>;
  draw?: Draw | undefined;
};

async function tryForm(deps: CompleteDeps, client: SlackClient, current: Try): Promise<void> {
  const options = await current.read().catch((error: unknown) => ({ error }));
  if ('error' in options) await afterFailure(deps, client, current, options.error);
  else await drawWith(deps, client, current, options);
}

async function drawWith(
  deps: CompleteDeps,
  client: SlackClient,
  { workspaceId, form, draw }: Try,
  options: FormOptions,
): Promise<void> {
  const { viewId, hash, metadata, lacksBrands } = form;
  const retryAt = options.brandsPending ? nextTry(deps, form) : undefined;
  if (retryAt && lacksBrands) return tryLater(deps, workspaceId, form, retryAt);
  const drawn = { ...options, brandsPending: retryAt !== undefined };
  const view = await (draw?.(drawn) ?? drawForm(deps, workspaceId, metadata, drawn));
  const shown = await updateView(client, { viewId, hash, view });
  if (!retryAt || !shown) return;
  await tryLater(deps, workspaceId, { ...form, hash: shown.hash, lacksBrands: true }, retryAt);
}

async function afterFailure(
  deps: CompleteDeps,
  client: SlackClient,
  { workspaceId, form }: Try,
  error: unknown,
): Promise<void> {
  const { viewId, hash, metadata, lacksBrands } = form;
  const trouble = isPassing(error) ? error : undefined;
  const retryAt = trouble && nextTry(deps, form, trouble.retryAt);
  if (lacksBrands) return retryAt && tryLater(deps, workspaceId, form, retryAt);
  const words = trouble && retryAt ? wordsForPassingTrouble(trouble) : wordsForFailure(deps, error);
  const view = buildNoticeView(words, { retry: true, metadata });
  // Drawn at each try, since that tells whether the view is still open.
  const shown = await updateView(client, { viewId, hash, view });
  if (shown && retryAt) await tryLater(deps, workspaceId, { ...form, hash: shown.hash }, retryAt);
}

function wordsForFailure({ log }: CompleteDeps, error: unknown): string {
  try {
    return wordsForServiceTrouble(error);
  } catch {
    return reportUnexpected(log, error, 'could not complete a form');
  }
}

/** When to try again, at moments at which other forms are tried too; undefined if it is not worth it. */
function nextTry({ now }: CompleteDeps, form: IncompleteForm, notBefore?: Date): Date | undefined {
  const pause = PAUSES_MS[form.tries] ?? PAUSES_MS[2];
  const earliest = Math.max(now().getTime() + pause, notBefore?.getTime() ?? 0);
  const at = Math.ceil(earliest / pause) * pause;
  return at < form.openedAt + KEEP_TRYING_MS ? new Date(at) : undefined;
}

async function tryLater(
  { jobs }: CompleteDeps,
  workspaceId: WorkspaceId,
  form: IncompleteForm,
  runAt: Date,
): Promise<void> {
  const payload = { ...form, tries: form.tries + 1 };
  await jobs.add({ kind: COMPLETE_FORM_JOB, workspaceId, payload, runAt });
}
