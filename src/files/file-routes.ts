import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../clock.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { type Routes, send, sendLater } from '../ops/http-server.ts';
import type { Log } from '../ops/logging.ts';
import { type DesignRequest, filesOf, type RequestState } from '../requests/request.ts';
import { outcomeOfCall } from '../slack/client/errors.ts';
import type { FileProblem, ReadyFile, SlackFiles } from '../slack/request-form/slack-files.ts';
import { NotInstalledError } from '../slack/workspaces/workspaces.ts';
import type { RequestStore } from '../store/requests.ts';
import { createDownloadSlots } from './download-slots.ts';
import { FILES_PATH, type FileLinks, type FileRef } from './file-links.ts';

const CHECKED_EVERY_MS = 5_000;
/** In bytes per second. While other workspaces wait, a slower download is ended. */
const LEAST_SPEED = 150_000;
const LEAST_BYTES = (LEAST_SPEED * CHECKED_EVERY_MS) / 1_000;
/** Slack is asked about a file at most once in this time, in ms. */
const DESCRIBED_FOR_MS = 60_000;
const DESCRIBED_FILES = 1_000;
/** How long either side may be silent, in ms. */
const IDLE_MS = 30_000;

/**
 * `GET` and `HEAD /files/…`: passes on a file of a request from Slack to the design service, without
 * storing it. Everything but a valid link to an available file gets the same 404, whatever the reason;
 * what may work later gets 503 with Retry-After.
 *
 * @param deps.onLost for each download of a file that is gone, if its request may have been sent
 */
export function fileRoutes(deps: {
  links: FileLinks;
  source: SlackFiles;
  requests: Pick<RequestStore, 'get'>;
  has: (workspaceId: WorkspaceId) => Promise<boolean>;
  onLost: (ref: FileRef, problem: FileProblem) => Promise<unknown>;
  now: () => Date;
  log: Log;
}): Routes {
  const { links, source, requests, has, onLost, now, log } = deps;
  const slots = createDownloadSlots();
  const descriptions = new LRUCache<string, Promise<ReadyFile | FileProblem>>({
    ...atMost(DESCRIBED_FILES),
    ...forAtMost(DESCRIBED_FOR_MS, now),
    // They contain names and addresses, which mustn't stay after an uninstall.
    ttlAutopurge: true,
  });

  /** An answer that may change in a moment isn't cached. */
  function describe(ref: FileRef): Promise<ReadyFile | FileProblem> {
    const key = keyOf(ref);
    const known = descriptions.get(key);
    if (known) return known;
    const asked = source.describe(ref.workspaceId, ref.fileId);
    const forget = () => descriptions.delete(key);
    descriptions.set(key, asked);
    asked.then((file) => file === 'uploading' && forget(), forget);
    return asked;
  }

  /** Undefined once the workspace has removed the app, or the request was discarded, deleted, or lost the file. */
  async function requestWith({ workspaceId, requestId, fileId }: FileRef) {
    if (!(await has(workspaceId))) return undefined;
    const request = await requests.get(workspaceId, requestId);
    if (!request || request.state === 'discarded') return undefined;
    return filesOf(request.form).some(({ id }) => id === fileId) ? request : undefined;
  }

  async function serve(call: IncomingMessage, response: ServerResponse): Promise<void> {
    const ref = links.read((call.url ?? '').split('?')[0] ?? '');
    const request = ref && (await requestWith(ref));
    if (!request) return notFound(response);
    const left = new AbortController();
    response.once('close', () => left.abort('client_left'));
    try {
      await answer(call, response, { ref, request }, left);
    } catch (error) {
      if (isRefused(error)) return notFound(response);
      // Either side may have left. The error itself may contain an address.
      const code = codeOf(left.signal.reason ?? error);
      const about = { workspace: ref.workspaceId, file: ref.fileId, code };
      log.info(about, 'a file was not passed on, or not all of it');
      if (response.headersSent) response.destroy();
      else sendLater(response);
    }
  }

  async function answer(
    { method }: IncomingMessage,
    response: ServerResponse,
    found: Found,
    left: AbortController,
  ): Promise<void> {
    const file = await describe(found.ref);
    if (file === 'uploading') return sendLater(response);
    if (typeof file === 'string') return lost(response, found, file);
    if (method === 'HEAD') {
      response.writeHead(200, { ...headersOf(file), 'content-length': file.bytes }).end();
      return;
    }
    using slot = await slots.take(found.ref.workspaceId, left.signal);
    if (!slot) return sendLater(response);
    const stopChecking = checkWhileOpen(response, found.ref, slot, left);
    try {
      await download(response, found, file, left);
    } finally {
      stopChecking();
    }
  }

  /** Ends a download that is too slow for others, or whose link is no longer valid. */
  function checkWhileOpen(
    response: ServerResponse,
    ref: FileRef,
    slot: { isWanted(): boolean },
    ended: AbortController,
  ): () => void {
    let before: number | undefined;
    const check = async () => {
      // Nothing is sent until Slack answers, which has a time limit of its own.
      const sent = response.headersSent ? response.socket?.bytesWritten : undefined;
      const isSlow = before !== undefined && (sent ?? before) - before < LEAST_BYTES;
      before = sent;
      if (isSlow && slot.isWanted()) ended.abort('too_slow');
      else if (!(await requestWith(ref))) ended.abort('no_longer_allowed');
    };
    // A check that fails is repeated.
    const timer = setInterval(() => check().catch(() => undefined), CHECKED_EVERY_MS);
    return () => clearInterval(timer);
  }

  /** As fast as the client takes it; whoever ends early or is silent ends it for the other, too. */
  async function download(
    response: ServerResponse,
    found: Found,
    file: ReadyFile,
    left: AbortController,
  ): Promise<void> {
    response.setTimeout(IDLE_MS, () => left.abort('silent'));
    const opened = await source.open(found.ref.workspaceId, file, left.signal);
    // It has changed since Slack described it.
    if (typeof opened === 'string') descriptions.delete(keyOf(found.ref));
    if (opened === 'later') return sendLater(response);
    if (opened === 'refused') {
      const why = await describe(found.ref).catch(() => undefined);
      return lost(response, found, typeof why === 'string' ? why : 'forbidden');
    }
    const length = opened.headers['content-length'];
    response.writeHead(200, {
      ...headersOf(file),
      ...(length === undefined ? {} : { 'content-length': length }),
    });
    await pipeline(opened, response, { signal: left.signal });
  }

  /** Before a request is sent, its files are checked and its author is told anyway. */
  async function lost(response: ServerResponse, { ref, request }: Found, problem: FileProblem) {
    if (MAY_BE_SENT.includes(request.state)) await onLost(ref, problem);
    notFound(response);
  }

  return { [`GET ${FILES_PATH}*`]: serve };
}

type Found = { ref: FileRef; request: DesignRequest };

const MAY_BE_SENT: readonly RequestState[] = ['sending', 'in_doubt', 'created'];

/** Anything may be in a file, so it is saved, never shown or run, and not kept by caches. */
const headersOf = ({ name, type }: ReadyFile) => ({
  'content-type': type,
  'content-disposition': contentDisposition(savedName(name)),
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
});

/** Most file systems allow 255 bytes. */
const SAVED_NAME_MAX = 200;

/** In no other folder, not hidden, and with its extension. */
function savedName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last.replaceAll(/\p{Cc}/gu, '').replace(/^[. ]+/, '');
  return plain.slice(-SAVED_NAME_MAX).toWellFormed() || 'file';
}

/** Whether Slack would say no again. */
const isRefused = (error: unknown) =>
  error instanceof NotInstalledError || outcomeOfCall(error) === 'refused';

const keyOf = ({ workspaceId, fileId }: FileRef): string => `${workspaceId}/${fileId}`;

/** @param cause an error, or why the app itself ended a download */
function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.name;
}

const notFound = (response: ServerResponse) => send(response, 404, { error: 'not_found' });
