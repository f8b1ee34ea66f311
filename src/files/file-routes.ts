import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { create as contentDisposition } from 'content-disposition';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { type Routes, send, sendLater } from '../ops/http-server.ts';
import type { Log } from '../ops/logging.ts';
import { type DesignRequest, filesOf, type RequestState } from '../requests/request.ts';
import { outcomeOfCall } from '../slack/client/errors.ts';
import type { FileProblem, ReadyFile, SlackFiles } from '../slack/request-form/slack-files.ts';
import { NotInstalledError } from '../slack/workspaces/workspaces.ts';
import type { RequestStore } from '../store/requests.ts';
import { FILES_PATH, type FileLinks, type FileRef } from './file-links.ts';

/** At once in one process, so that Slack's deliveries never wait for downloads, and for one workspace. */
const MAX_DOWNLOADS = 12;
const MAX_OF_WORKSPACE = 6;
/**
 * How long a download waits for others to end, in ms: less than clients usually wait for the first byte. So a service
 * that asks for all files of a request at once gets them.
 */
const WAIT_MS = 20_000;
const LOOK_AGAIN_MS = 100;
/** How long either side may be silent, in ms. */
const IDLE_MS = 30_000;

/**
 * `GET` and `HEAD /files/…`: passes on a file of a request from Slack to the design service, without storing it.
 * Everything that isn't a valid link to an available file gets the same 404, whatever the reason; what may work
 * later gets 503 with Retry-After.
 *
 * @param deps.has whether a workspace has the app
 * @param deps.onLost called each time that the service asks for a file of a request that may have been sent, and the
 *   file is gone
 */
export function fileRoutes(deps: {
  links: FileLinks;
  source: SlackFiles;
  requests: Pick<RequestStore, 'get'>;
  has: (workspaceId: WorkspaceId) => Promise<boolean>;
  onLost: (ref: FileRef, problem: FileProblem) => Promise<unknown>;
  log: Log;
}): Routes {
  const { links, source, requests, has, onLost, log } = deps;
  /** The workspace of each download. */
  const running: WorkspaceId[] = [];

  /** The request of a link; undefined once its workspace has left, or it was discarded, deleted, or lost the file. */
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
    response.once('close', () => left.abort());
    try {
      await answer(call, response, { ref, request }, left);
    } catch (error) {
      // Slack would say no again.
      if (error instanceof NotInstalledError || outcomeOfCall(error) === 'refused') {
        return notFound(response);
      }
      // Either side may have left. The error itself may contain an address.
      const about = { workspace: ref.workspaceId, file: ref.fileId, code: codeOf(error) };
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
    const { workspaceId, fileId } = found.ref;
    const file = await source.describe(workspaceId, fileId);
    if (file === 'uploading') return sendLater(response);
    if (typeof file === 'string') return lost(response, found, file);
    if (method === 'HEAD') {
      response.writeHead(200, { ...headersOf(file), 'content-length': file.bytes }).end();
      return;
    }
    if (!(await takeSlot(workspaceId, left.signal))) return sendLater(response);
    try {
      await download(response, found, file, left);
    } finally {
      running.splice(running.indexOf(workspaceId), 1);
    }
  }

  /** @returns whether one became free in time */
  async function takeSlot(workspaceId: WorkspaceId, left: AbortSignal): Promise<boolean> {
    const isFull = () =>
      running.length >= MAX_DOWNLOADS ||
      running.filter((id) => id === workspaceId).length >= MAX_OF_WORKSPACE;
    for (let waited = 0; isFull(); waited += LOOK_AGAIN_MS) {
      if (left.aborted || waited >= WAIT_MS) return false;
      await sleep(LOOK_AGAIN_MS);
    }
    running.push(workspaceId);
    return true;
  }

  /** Reads from Slack as fast as the client takes it; whoever ends early or is silent ends it for the other, too. */
  async function download(
    response: ServerResponse,
    found: Found,
    file: ReadyFile,
    left: AbortController,
  ): Promise<void> {
    response.setTimeout(IDLE_MS, () => left.abort());
    const opened = await source.open(found.ref.workspaceId, file, left.signal);
    if (opened === 'later') return sendLater(response);
    if (opened === 'refused') return lost(response, found, 'forbidden');
    const length = opened.headers['content-length'];
    response.writeHead(200, {
      ...headersOf(file),
      ...(length === undefined ? {} : { 'content-length': length }),
    });
    await pipeline(opened, response, { signal: left.signal });
  }

  /** Before a request is sent, its files are checked and its author is told anyway. */
  async function lost(
    response: ServerResponse,
    { ref, request }: Found,
    problem: FileProblem,
  ): Promise<void> {
    if (MAY_BE_SENT.includes(request.state)) await onLost(ref, problem);
    notFound(response);
  }

  return { [`GET ${FILES_PATH}*`]: serve };
}

type Found = { ref: FileRef; request: DesignRequest };

const MAY_BE_SENT: readonly RequestState[] = ['sending', 'in_doubt', 'created'];

/** Restrictive, since people decide what is in a file: it is saved, never shown or run, and not kept by caches. */
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

/** A name under which a file can be saved: in no other folder, not hidden, and with its extension. */
function savedName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last.replaceAll(/\p{Cc}/gu, '').replace(/^[. ]+/, '');
  return plain.slice(-SAVED_NAME_MAX).toWellFormed() || 'file';
}

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown';

/** As for any path that doesn't exist. */
const notFound = (response: ServerResponse) => send(response, 404, { error: 'not_found' });
