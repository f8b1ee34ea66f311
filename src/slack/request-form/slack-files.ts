import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RETRY_AFTER_SECONDS } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import { isReset, send } from '../../outgoing.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { askForFile, type FileProblem, type ReadyFile } from './file-info.ts';

const HTML = 'text/html';
const REDIRECTS_MAX = 3;
const RETRY_AFTER_MAX_SECONDS = 300;

/** A body, or why there is none. */
export type Download =
  | {
      kind: 'content';
      body: Readable;
      /** The first and last byte; undefined for the whole file. */
      range: { first: number; last: number } | undefined;
    }
  | { kind: 'refused' }
  | { kind: 'later'; retryAfterSeconds: number };

export type SlackFiles = ReturnType<typeof createSlackFiles>;

/**
 * The files of workspaces in Slack, read with each workspace's own token.
 *
 * @param deps.apiUrl SLACK_API_URL
 * @param deps.maxBytes of a file that may be passed on
 */
export function createSlackFiles(deps: {
  clients: SlackClients;
  apiUrl: string;
  maxBytes: number;
  now: () => Date;
  log: Log;
}) {
  const { clients, apiUrl, maxBytes, now, log } = deps;

  /** Follows redirects within Slack. The token goes nowhere else. */
  async function follow(
    address: string,
    options: { headers: OutgoingHttpHeaders; signal: AbortSignal },
  ): Promise<IncomingMessage | 'refused' | 'later'> {
    let next = new URL(address);
    for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
      if (!isSlackAddress(next, apiUrl)) {
        const { origin } = next;
        log.warn({ origin }, 'refused to download a file from an address outside Slack');
        return 'refused';
      }
      const response = await get(next, options);
      const { statusCode = 0, headers } = response;
      const { location } = headers;
      if (statusCode < 300 || statusCode > 399 || !location) return response;
      response.destroy();
      if (!URL.canParse(location, next.href)) break;
      next = new URL(location, next);
    }
    return 'later';
  }

  return {
    /** @throws NotInstalledError, or Slack's error if it doesn't answer or refuses the app */
    async describe(workspaceId: WorkspaceId, fileId: string): Promise<ReadyFile | FileProblem> {
      const { file } = await askForFile(await clients.of(workspaceId), fileId, { maxBytes, now });
      return file;
    },

    /**
     * Starts a download. Nothing of it is stored, and no more is read than the body's reader takes.
     *
     * @param options.range a single range as in the header, for example `bytes=100-`
     * @throws an error of the connection
     */
    async open(
      workspaceId: WorkspaceId,
      file: ReadyFile,
      { range, signal }: { range: string | undefined; signal: AbortSignal },
    ): Promise<Download> {
      const { token } = await clients.of(workspaceId);
      const response = await follow(file.url, {
        headers: {
          authorization: `Bearer ${token}`,
          // Compressed bytes would have another length, and other ranges.
          'accept-encoding': 'identity',
          ...(range ? { range } : {}),
        },
        signal,
      });
      if (response === 'refused') return { kind: response };
      if (response === 'later') return LATER;
      const download = readAnswer(response, file);
      if (download.kind !== 'content') response.destroy();
      return download;
    },
  };
}

/**
 * Not `fetch`: its body would be a web stream, to be converted for the response; redirects are never followed.
 *
 * @param repeats how often to try again if the connection is reset before an answer, as can happen to one kept open
 */
function get(
  url: URL,
  options: { headers: OutgoingHttpHeaders; signal: AbortSignal },
  repeats = 1,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const onError = (error: Error) =>
    repeats > 0 && isReset(error) ? resolve(get(url, options, repeats - 1)) : reject(error);
  const request = send(url, options, (answer) => {
    // From now on, a reset interrupts the answer.
    request.off('error', onError).on('error', reject);
    resolve(answer);
  });
  request.on('error', onError).end();
  return promise;
}

/**
 * With these, Slack refuses a download. Other answers without the file are temporary: Slack is busy, or the file was
 * just edited.
 */
const REFUSALS = new Set([401, 403, 404, 410, 451]);
const LATER = { kind: 'later', retryAfterSeconds: RETRY_AFTER_SECONDS } as const;

function readAnswer(response: IncomingMessage, file: ReadyFile): Download {
  const { statusCode: status = 0, headers } = response;
  if (REFUSALS.has(status)) return { kind: 'refused' };
  if (status !== 200 && status !== 206) return { ...LATER, retryAfterSeconds: waitOf(headers) };
  if (isSignInPage(headers, file)) return { kind: 'refused' };
  const range = status === 206 ? readRange(headers, file) : undefined;
  const length = range ? range.last - range.first + 1 : file.bytes;
  const announced = headers['content-length'];
  const isWhole = (announced === undefined || Number(announced) === length) && !isEncoded(headers);
  if (!isWhole || (status === 206 && !range)) return LATER;
  return { kind: 'content', body: response, range };
}

/**
 * With a token that may not read the file, Slack answers 200 with the page on which people sign in
 * (slackapi/bolt-js#2585).
 */
const isSignInPage = (headers: IncomingHttpHeaders, { type }: ReadyFile) =>
  (headers['content-type'] ?? '').toLowerCase().startsWith(HTML) &&
  // A file that is itself HTML comes with its length.
  (type !== HTML || headers['content-length'] === undefined);

const isEncoded = (headers: IncomingHttpHeaders) =>
  (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

function readRange(headers: IncomingHttpHeaders, { bytes }: ReadyFile) {
  const found = CONTENT_RANGE.exec(headers['content-range'] ?? '');
  const [first, last, all] = (found ?? []).slice(1).map(Number);
  if (first === undefined || last === undefined || all !== bytes) return undefined;
  return first <= last && last < bytes ? { first, last } : undefined;
}

function waitOf(headers: IncomingHttpHeaders): number {
  const seconds = Number(headers['retry-after'] ?? RETRY_AFTER_SECONDS);
  return Number.isInteger(seconds) && seconds > 0
    ? Math.min(seconds, RETRY_AFTER_MAX_SECONDS)
    : RETRY_AFTER_SECONDS;
}

/** Files are at files.slack.com and files.slack-gov.com (docs.slack.dev/reference/objects/file-object). */
const SLACK_DOMAINS = ['slack.com', 'slack-gov.com'];

/**
 * Whether a workspace's token may be sent to an address: to Slack's own hosts over https, or to where SLACK_API_URL
 * points.
 */
function isSlackAddress(address: URL, apiUrl: string): boolean {
  if (address.username || address.password) return false;
  if (address.origin === new URL(apiUrl).origin) return true;
  const isSlacks = SLACK_DOMAINS.some(
    (domain) => address.hostname === domain || address.hostname.endsWith(`.${domain}`),
  );
  return isSlacks && address.protocol === 'https:' && address.port === '';
}
