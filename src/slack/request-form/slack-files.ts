import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FilesInfoResponse, WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { createFileLinks } from '../../files/file-links.ts';
import { fileRoutes } from '../../files/file-routes.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import { send, singleUseAgents } from '../../outgoing.ts';
import type { CardLinks } from '../../references.ts';
import { filesOf } from '../../requests/request.ts';
import { onceKind } from '../../store/entries.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { SLACK_JOBS } from '../interaction/jobs.ts';
import { section } from '../text/blocks.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { clip, wellFormed } from '../text/limits.ts';
import { wordsForLostFile } from '../words/files.ts';

export type ReadyFile = {
  name: string;
  /** Its media type, for example `image/png`. */
  type: string;
  bytes: number;
  /** Where it is downloaded from, with the workspace's token. */
  url: string;
};

/** Only `uploading` is temporary. A page is a canvas or a list, which has no content of its own. */
export type FileProblem = 'uploading' | 'deleted' | 'forbidden' | 'external' | 'page' | 'too_large';

type SlackFile = NonNullable<FilesInfoResponse['file']>;
type Limits = { maxBytes: number; now: () => Date };

/** Slack's errors about a file (docs.slack.dev/reference/methods/files.info); others are about the app or the call. */
const FILE_ERRORS: Record<string, FileProblem> = {
  file_deleted: 'deleted',
  // Also for files that were not shared with the app.
  file_not_found: 'forbidden',
  access_denied: 'forbidden',
  no_permission: 'forbidden',
  missing_scope: 'forbidden',
  slack_connect_file_link_sharing_blocked: 'forbidden',
};

/** Modes of files without content in Slack (docs.slack.dev/reference/objects/file-object). */
const MODES_WITHOUT_CONTENT: Record<string, FileProblem> = {
  tombstone: 'deleted',
  hidden_by_limit: 'forbidden',
  external: 'external',
};
/** Other modes, such as canvas, quip, list, and post, are pages in Slack, whose download isn't what people see. */
const MODES_WITH_CONTENT = new Set(['', 'hosted', 'snippet', 'email', 'file_access']);
/** How the media types of canvases and lists begin. */
const PAGE_TYPE = 'application/vnd.slack-';

const HTML = 'text/html';
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const UNKNOWN_TYPE = 'application/octet-stream';
const bytes = z.int().min(0);
/** How long Slack may process an upload, since it began, in ms: longer than requests wait for it. */
const UPLOAD_MAX_MS = 5 * 60_000;

/** Name and link also if it can't be downloaded. @throws Slack's error, if it isn't about the file */
export async function askForFile(client: WebClient, fileId: string, limits: Limits) {
  try {
    const { file } = await client.files.info({ file: fileId, limit: 1 });
    if (!file) return { file: 'forbidden' as const };
    return {
      name: file.name || file.title,
      link: file.permalink || file.url_private,
      file: readFile(file, fileId, limits),
    };
  } catch (error) {
    const problem = FILE_ERRORS[slackErrorCode(error) ?? ''];
    if (problem) return { file: problem };
    throw error;
  }
}

/** Why a file of this kind can't be passed on, whatever else is known of it. */
export function problemOfKind(file: Pick<SlackFile, 'mode' | 'is_external' | 'mimetype'>) {
  const { mode = '', is_external, mimetype } = file;
  const without = MODES_WITHOUT_CONTENT[mode];
  if (without) return without;
  if (is_external) return 'external';
  const isPage = !MODES_WITH_CONTENT.has(mode) || mimetype?.startsWith(PAGE_TYPE);
  return isPage ? 'page' : undefined;
}

function readFile(file: SlackFile, id: string, { maxBytes, now }: Limits): ReadyFile | FileProblem {
  const { file_access: access, url_private_download: url, mimetype, name } = file;
  const { data: size } = bytes.safeParse(file.size);
  const problem = problemOfKind(file);
  if (problem) return problem;
  if (access === 'file_not_found') return 'deleted';
  if (access && access !== 'visible') return 'forbidden';
  const startedAt = (file.created ?? file.timestamp ?? 0) * 1_000;
  // While Slack processes an upload, its address is missing.
  if (!url && Math.abs(now().getTime() - startedAt) < UPLOAD_MAX_MS) return 'uploading';
  if (!url || !URL.canParse(url) || size === undefined) return 'forbidden';
  if (size > maxBytes) return 'too_large';
  return {
    url,
    bytes: size,
    name: wellFormed(name ?? '').replaceAll(/[\n\t]+/g, ' ') || id,
    type: mimetype && MEDIA_TYPE.test(mimetype) ? mimetype.toLowerCase() : UNKNOWN_TYPE,
  };
}

const REDIRECTS_MAX = 3;
/** How long a proxy may take to open a tunnel, in ms. */
const TUNNEL_TIMEOUT_MS = 5_000;
/** Other answers without the file are temporary: Slack is busy, or the file was just edited. */
const REFUSALS = new Set([401, 403, 404, 410, 451]);

export type SlackFiles = ReturnType<typeof createSlackFiles>;

/** The files of workspaces in Slack, read with each workspace's own token. */
export function createSlackFiles(
  deps: Limits & { clients: SlackClients; apiUrl: string; log: Log },
) {
  const { clients, apiUrl, log } = deps;
  return {
    /** @throws NotInstalledError, or Slack's error if it doesn't answer or refuses the app */
    async describe(workspaceId: WorkspaceId, fileId: string): Promise<ReadyFile | FileProblem> {
      const { file } = await askForFile(await clients.of(workspaceId), fileId, deps);
      return file;
    },

    /** Goes on only as fast as it is read. Follows redirects only within Slack, because of the token. */
    async open(workspaceId: WorkspaceId, file: ReadyFile, signal: AbortSignal) {
      const { token } = await clients.of(workspaceId);
      let address = file.url;
      for (let hops = 0; hops <= REDIRECTS_MAX && URL.canParse(address); hops += 1) {
        const url = new URL(address);
        if (!isSlackAddress(url, apiUrl)) {
          const { origin } = url;
          log.warn({ origin }, 'refused to download a file from an address outside Slack');
          return 'refused';
        }
        const answer = await get(url, `Bearer ${token}`, signal);
        const kind = kindOf(answer, file);
        if (kind === 'content') return answer;
        answer.destroy();
        if (kind !== 'redirect') return kind;
        address = URL.parse(answer.headers.location ?? '', url.href)?.href ?? '';
      }
      return 'later';
    },
  };
}

/** Not `fetch`, whose body is a web stream. A new connection can't have been closed while idle. */
function get(url: URL, authorization: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const agents = singleUseAgents(TUNNEL_TIMEOUT_MS);
  const agent = url.protocol === 'https:' ? agents.https : agents.http;
  const headers = { authorization, 'accept-encoding': 'identity' };
  send(url, { headers, signal, agent }, resolve).on('error', reject).end();
  return promise;
}

function kindOf({ statusCode: status = 0, headers }: IncomingMessage, file: ReadyFile) {
  if (status === 200 && isSignInPage(headers, file)) return 'refused';
  // What is compressed all the same would be passed on as the file.
  if (status === 200 && (headers['content-encoding'] ?? 'identity') === 'identity')
    return 'content';
  if (status >= 300 && status <= 399 && headers.location) return 'redirect';
  return REFUSALS.has(status) ? 'refused' : 'later';
}

/** Answered with 200 to a token that may not read the file (slackapi/bolt-js#2585). */
const isSignInPage = (headers: IncomingHttpHeaders, { type }: ReadyFile) =>
  (headers['content-type'] ?? '').toLowerCase().startsWith(HTML) &&
  // A file that is itself HTML comes with its length.
  (type !== HTML || headers['content-length'] === undefined);

/** Files are at files.slack.com and files.slack-gov.com (docs.slack.dev/reference/objects/file-object). */
const SLACK_HOST = /(?:^|\.)slack(?:-gov)?\.com$/;

/** Tokens may go only to Slack's own hosts over https, and to where SLACK_API_URL points. */
function isSlackAddress(address: URL, apiUrl: string): boolean {
  const { origin, hostname, protocol, port, username, password } = address;
  if (username || password) return false;
  if (origin === new URL(apiUrl).origin) return true;
  return SLACK_HOST.test(hostname) && protocol === 'https:' && port === '';
}

export type FileDownloads = NonNullable<ReturnType<typeof createFileDownloads>>;

/** How the service gets the files of requests. Undefined without PUBLIC_URL: it could download nothing. */
export function createFileDownloads(
  { publicUrl, encryptionKeys, fileMaxBytes: maxBytes, slack }: Config,
  deps: {
    clients: SlackClients;
    has: (id: WorkspaceId) => Promise<boolean>;
    requests: Pick<RequestStore, 'get'>;
    jobs: JobQueue;
    now: () => Date;
    log: Log;
  },
) {
  if (publicUrl === undefined) return undefined;
  const links = createFileLinks({ ...deps, keys: encryptionKeys, publicUrl });
  const source = createSlackFiles({ ...deps, apiUrl: slack.apiUrl, maxBytes });
  const routes = fileRoutes({
    ...deps,
    links,
    source,
    onLost({ workspaceId, ...ref }, problem) {
      const kind = SLACK_JOBS.lostFile;
      const identity = `${workspaceId}/${kind}/${ref.requestId}/${ref.fileId}`;
      return deps.jobs.add({ kind, workspaceId, identity, payload: { ...ref, problem } });
    },
  });
  return { forForms: { maxBytes }, links, source, routes };
}

const lostFile = z.object({ requestId: z.string(), fileId: z.string(), problem: z.string() });

/** Files whose loss was reported: their links live longer than the identity of a finished job. */
const REPORTED = onceKind('lost_file');
const TEXT_CHARS = 200;

/** Tells the author of a request once that the service asked for a file that can't be passed on any more. */
export function lostFileHandler(deps: {
  clients: SlackClients;
  requests: Pick<RequestStore, 'get'>;
  directMessages: DirectMessages;
  cards: CardLinks;
}): JobHandler {
  const { requests, directMessages, cards, clients } = deps;
  return async ({ workspaceId, payload }) => {
    const { requestId, fileId, problem } = lostFile.parse(payload);
    const request = await requests.get(workspaceId, requestId);
    const file = request && filesOf(request.form).find(({ id }) => id === fileId);
    if (!request || !file) return 'done';
    const { userId, reference, form, cardId } = request;
    const once = { kind: REPORTED, owner: workspaceId, name: `${requestId}/${fileId}` };
    const url = cards.urlIfPossible(cardId) ?? cards.dashboardUrl;
    const text = wordsForLostFile({
      isDeleted: problem === 'deleted',
      name: escapeMrkdwn(clip(file.name, TEXT_CHARS)),
      request: `${escapedLink(url, clip(form.title, TEXT_CHARS))} (${reference})`,
    });
    const client = await clients.of(workspaceId);
    const message = { text, blocks: [section(text)] };
    await directMessages.sendOnce(once, client, { workspaceId, userId }, message);
    return 'done';
  };
}
