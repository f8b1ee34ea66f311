import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../clock.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { type Routes, send, sendLater } from '../ops/http-server.ts';
import type { Log } from '../ops/logging.ts';
import { type DesignRequest, filesOf, type RequestState } from '../requests/request.ts';
import { outcomeOfCall } from '../slack/client/errors.ts';
import type { FileProblem, LostFileProblem, ReadyFile } from '../slack/request-form/file-info.ts';
import type { SlackFiles } from '../slack/request-form/slack-files.ts';
import { NotInstalledError } from '../slack/workspaces/workspaces.ts';
import type { RequestStore } from '../store/requests.ts';
import { createDownloadSlots } from './download-slots.ts';
import { FILES_PATH, type FileLinks, type FileRef } from './file-links.ts';
import { rangeOf, sendContent, sendHead, sendUnsatisfiable } from './serve-file.ts';

/** How often a running download is checked, in ms. */
const CHECKED_EVERY_MS = 5_000;
/** In bytes per second. While other workspaces wait, a slower download is ended; its client can resume it. */
const LEAST_SPEED = 150_000;
/** How long Slack may take to begin its answer, in ms. */
const START_MAX_MS = 15_000;
/** Slack is asked about a file at most once in this time, in ms. */
const DESCRIBED_FOR_MS = 60_000;
const DESCRIBED_FILES = 1_000;

type FileRoutesDeps = {
  links: FileLinks;
  source: SlackFiles;
  requests: Pick<RequestStore, 'get'>;
  /** Whether a workspace has the app. */
  has: (workspaceId: WorkspaceId) => Promise<boolean>;
  /** Called each time that the service asks for a file of a request that may have been sent, and the file is gone. */
  onLost: (ref: FileRef, problem: LostFileProblem) => Promise<unknown>;
  now: () => Date;
  log: Log;
};

/**
 * `GET` and `HEAD /files/…`: passes on a file of a request from Slack to the design service, without storing it.
 * Everything that isn't a valid link to an available file gets the same 404, whatever the reason; what may work
 * later gets 503 with Retry-After.
 */
export function fileRoutes(deps: FileRoutesDeps): Routes {
  const slots = createDownloadSlots();
  const descriptions = new LRUCache<string, Promise<ReadyFile | FileProblem>>({
    ...atMost(DESCRIBED_FILES),
    ...forAtMost(DESCRIBED_FOR_MS, deps.now),
    // They contain names and addresses, which mustn't stay after an uninstall.
    ttlAutopurge: true,
  });

  /** An answer that may change in a moment isn't cached. */
  function describe(ref: FileRef): Promise<ReadyFile | FileProblem> {
    const key = keyOf(ref);
    const known = descriptions.get(key);
    if (known) return known;
    const asked = deps.source.describe(ref.workspaceId, ref.fileId);
    const forget = () => descriptions.delete(key);
    descriptions.set(key, asked);
    asked.then((file) => file === 'uploading' && forget(), forget);
    return asked;
  }

  /** The file, if its link is valid and its request still has it. */
  async function find(path: string): Promise<Found | 'missing' | 'later'> {
    const ref = deps.links.read(path);
    const request = ref && (await requestWith(deps, ref));
    if (!request) return 'missing';
    try {
      const file = await describe(ref);
      if (typeof file === 'object') return { ref, file, request };
      if (file === 'uploading') return 'later';
      await reportLost({ ref, request }, file);
      return 'missing';
    } catch (error) {
      // Slack would say no again.
      if (error instanceof NotInstalledError || outcomeOfCall(error) === 'refused')
        return 'missing';
      deps.log.warn({ err: error, ...about(ref) }, 'could not ask Slack about a file');
      return 'later';
    }
  }

  /** Only once a request may have been sent: before that, its files are checked and its author is told anyway. */
  async function reportLost({ ref, request }: Omit<Found, 'file'>, problem: LostFileProblem) {
    if (MAY_BE_SENT.includes(request.state)) await deps.onLost(ref, problem);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const found = await find((request.url ?? '').split('?')[0] ?? '');
    if (found === 'missing') return notFound(response);
    if (found === 'later') return sendLater(response);
    const range = rangeOf(request, found.file);
    if (range === 'unsatisfiable') return sendUnsatisfiable(response, found.file);
    if (request.method === 'HEAD') return sendHead(response, found.file);
    await sendInTurn(response, found, range);
  }

  async function sendInTurn(
    response: ServerResponse,
    found: Found,
    range: string | undefined,
  ): Promise<void> {
    const ended = new AbortController();
    // The client may have left while Slack was asked about the file.
    if (response.closed) return;
    response.once('close', () => ended.abort('client_left'));
    using slot = await slots.take(found.ref.workspaceId, ended.signal);
    if (!slot) return sendLater(response);
    const stopChecking = checkWhileOpen(response, found, slot, ended);
    try {
      await download(response, found, { range, signal: ended.signal });
    } catch (error) {
      // Either side may have left, and the download can be resumed. The error itself may contain an address.
      const code = ended.signal.aborted ? ended.signal.reason : codeOf(error);
      deps.log.info({ ...about(found.ref), code }, 'a download of a file ended early');
      if (response.headersSent) response.destroy();
      else sendLater(response);
    } finally {
      stopChecking();
    }
  }

  /** Ends a download that is too slow for others, or whose link is no longer valid. */
  function checkWhileOpen(
    response: ServerResponse,
    { ref }: Found,
    slot: { isWanted(): boolean },
    ended: AbortController,
  ): () => void {
    let before: number | undefined;
    const check = async () => {
      // Nothing is sent until Slack answers, which has a time limit of its own.
      const sent = response.headersSent ? response.socket?.bytesWritten : undefined;
      const leastBytes = (LEAST_SPEED * CHECKED_EVERY_MS) / 1_000;
      const isSlow = before !== undefined && (sent ?? before) - before < leastBytes;
      before = sent;
      if (isSlow && slot.isWanted()) ended.abort('too_slow');
      else if (!(await requestWith(deps, ref))) ended.abort('no_longer_allowed');
    };
    // A check that fails is repeated.
    const timer = setInterval(() => check().catch(() => undefined), CHECKED_EVERY_MS);
    return () => clearInterval(timer);
  }

  async function download(
    response: ServerResponse,
    found: Found,
    { range, signal }: { range: string | undefined; signal: AbortSignal },
  ): Promise<void> {
    const { ref, file } = found;
    const starting = new AbortController();
    const timer = setTimeout(() => starting.abort(), START_MAX_MS);
    const asked = { range, signal: AbortSignal.any([signal, starting.signal]) };
    const opened = await deps.source
      .open(ref.workspaceId, file, asked)
      .finally(() => clearTimeout(timer));
    if (opened.kind === 'content') return sendContent(response, file, opened, signal);
    // The file has changed since Slack described it.
    descriptions.delete(keyOf(ref));
    if (opened.kind === 'later') return sendLater(response, opened.retryAfterSeconds);
    const now = await describe(ref).catch(() => undefined);
    const isLost = typeof now === 'string' && now !== 'uploading';
    await reportLost(found, isLost ? now : 'forbidden');
    notFound(response);
  }

  return { [`GET ${FILES_PATH}*`]: serve, [`HEAD ${FILES_PATH}*`]: serve };
}

type Found = { ref: FileRef; file: ReadyFile; request: DesignRequest };

const MAY_BE_SENT: readonly RequestState[] = ['sending', 'in_doubt', 'created'];

/** The request of a link; undefined once its workspace has left, or it was discarded, deleted, or lost the file. */
async function requestWith(
  { has, requests }: FileRoutesDeps,
  { workspaceId, requestId, fileId }: FileRef,
): Promise<DesignRequest | undefined> {
  if (!(await has(workspaceId))) return undefined;
  const request = await requests.get(workspaceId, requestId);
  if (!request || request.state === 'discarded') return undefined;
  return filesOf(request.form).some(({ id }) => id === fileId) ? request : undefined;
}

const keyOf = ({ workspaceId, fileId }: FileRef): string => `${workspaceId}/${fileId}`;

const about = ({ workspaceId, fileId }: FileRef) => ({ workspace: workspaceId, file: fileId });

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown';

/** As for any path that doesn't exist. */
const notFound = (response: ServerResponse) => send(response, 404, { error: 'not_found' });
