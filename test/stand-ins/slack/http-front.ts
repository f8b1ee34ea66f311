import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { escapeEntities } from './escape-entities.ts';
import type { FaultKind, Faults } from './faults.ts';
import type { JsonObject } from './json.ts';
import type { OAuth } from './oauth.ts';
import { SlackRefusal } from './refusal.ts';
import { takeResponse } from './response-url-posts.ts';
import { DOWNLOAD, isFileAddress, readerOf, serveFile } from './serve-file.ts';
import type { ApiCall } from './state/model.ts';
import type { SlackState } from './state/state.ts';
import type { ApiRequest, WebApi } from './web-api/call.ts';

const API_PATH = /^\/api\/([\w.]+)$/;
const RESPONSE_URL_PATH = /^\/(?:commands|actions)\//;
const TOO_MANY_REQUESTS = 429;

export interface Front {
  state: SlackState;
  api: WebApi;
  oauth: OAuth;
  faults: Faults;
  apiCalls: ApiCall[];
}

function answer(response: ServerResponse, status: number, body: string, type: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

function answerJson(
  response: ServerResponse,
  body: JsonObject,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body));
}

const pause = (ms: number) => setTimeout(ms, undefined, { ref: false });

const PAGE = '<html><body>Server error</body></html>';

/** Applies a fault that prevents execution; false if the call may continue. */
function stopped(fault: FaultKind | undefined, call: ApiCall, response: ServerResponse): boolean {
  switch (fault?.kind) {
    case 'hang':
      break;
    case 'drop':
      response.destroy();
      break;
    case 'http':
      call.status = fault.status;
      answer(response, fault.status, fault.body ?? PAGE, 'text/html');
      break;
    case 'rate_limited':
      call.status = TOO_MANY_REQUESTS;
      call.response = { ok: false, error: 'ratelimited' };
      answerJson(response, call.response, call.status, { 'retry-after': `${fault.retryAfter}` });
      break;
    case 'error':
      call.response = { ok: false, error: fault.error };
      answerJson(response, call.response);
      break;
    default:
      return false;
  }
  call.fault = fault.kind;
  return true;
}

/** Records a call. @returns it with its fault, or undefined if the fault has ended it */
function begin(
  front: Front,
  response: ServerResponse,
  called: Pick<ApiCall, 'method' | 'args' | 'workspaceId'>,
): { call: ApiCall; fault: FaultKind | undefined } | undefined {
  const { apiCalls, state, faults } = front;
  const arrived = performance.now();
  const at = state.clock();
  const call: ApiCall = { ...called, at, status: 200, response: undefined, fault: undefined };
  apiCalls.push(call);
  state.feed.emit();
  response.once('close', () => {
    if (response.writableFinished) call.ms = performance.now() - arrived;
    state.feed.emit();
  });
  const fault = faults.take(call.method, call.workspaceId);
  return stopped(fault, call, response) ? undefined : { call, fault };
}

async function serveApi(front: Front, request: ApiRequest, response: ServerResponse) {
  const { api } = front;
  const read = api.readArguments(request);
  const args = typeof read === 'string' ? {} : read;
  const { method } = request;
  const begun = begin(front, response, {
    method,
    args,
    workspaceId: api.workspaceIdOf(request, args),
  });
  if (!begun) return;
  const { call, fault } = begun;
  if (typeof read === 'string') {
    call.response = { ok: false, error: read };
    return answerJson(response, call.response);
  }
  if (fault?.kind === 'stall') await pause(fault.ms);
  const { body: answered, scopes } = await api.execute(request, args);
  const body = { ...answered, ...(fault?.kind === 'altered_answer' ? fault.changes : {}) };
  call.response = body;
  if (fault?.kind === 'held_answer') await fault.until;
  if (fault?.kind === 'lost_answer') {
    call.fault = fault.kind;
    response.destroy();
    return;
  }
  if (fault?.kind === 'truncated_answer') {
    call.fault = fault.kind;
    return answer(response, 200, JSON.stringify(body).slice(0, fault.length), 'application/json');
  }
  answerJson(response, body, 200, {
    date: front.state.clock().toUTCString(),
    'x-oauth-scopes': scopes.join(','),
  });
}

function serveResponseUrl(front: Front, path: string, body: string, response: ServerResponse) {
  const workspaceId = front.state.responseUrls.get(path)?.workspaceId;
  const begun = begin(front, response, {
    method: 'response_url',
    args: { path, body },
    workspaceId,
  });
  if (!begun) return;
  const { call } = begun;
  try {
    const { status, body: said } = takeResponse(front.state, path, body);
    call.status = status;
    call.response = { text: said };
    answer(response, status, said, 'text/plain');
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error;
    call.status = 400;
    call.response = error.body;
    answerJson(response, error.body, 400);
  }
}

const HTML = 'text/html; charset=utf-8';
const SIGN_IN = '<!doctype html><title>Sign in | Slack</title><p>Sign in to your workspace</p>';

async function serveDownload(front: Front, request: IncomingMessage, response: ServerResponse) {
  const { state } = front;
  const { pathname } = new URL(request.url ?? '/', state.origin);
  const { file, workspaceId } = readerOf(state, pathname, request.headers.authorization ?? '');
  const args = { path: pathname };
  const begun = begin(front, response, { method: DOWNLOAD, args, workspaceId });
  if (!begun) return;
  const { call, fault } = begun;
  if (fault?.kind === 'stall') await pause(fault.ms);
  if (file) return serveFile(file, request, response, begun);
  // Slack sends the browser to a page on which people sign in, with status 200 (slackapi/bolt-js#2585).
  call.status = 302;
  const location = `${state.origin}/?redir=${encodeURIComponent(pathname)}`;
  response.writeHead(302, { location }).end();
}

async function serve(front: Front, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', front.state.origin);
  const body = await text(request);
  const method = API_PATH.exec(url.pathname)?.[1];
  if (method) {
    const { 'content-type': contentType = '', authorization = '' } = request.headers;
    return serveApi(front, { method, contentType, authorization, body }, response);
  }
  if (RESPONSE_URL_PATH.test(url.pathname) && request.method === 'POST') {
    return serveResponseUrl(front, url.pathname, body, response);
  }
  if (isFileAddress(url.pathname)) return serveDownload(front, request, response);
  if (url.pathname === '/' && url.searchParams.has('redir')) {
    return answer(response, 200, SIGN_IN, HTML);
  }
  if (url.pathname === '/oauth/v2/authorize') return authorizePage(front, url, response);
  answer(response, 404, 'Not found', 'text/plain');
}

export function frontListener(front: Front) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    serve(front, request, response).catch((error: unknown) => {
      // A bug in the stand-in itself: reported clearly, so that no test takes it for Slack's answer.
      const failed = `The stand-in failed: ${error instanceof Error ? error.stack : error}`;
      if (!response.headersSent) answer(response, 500, failed, 'text/plain');
    });
  };
}

const escapeHtml = (shown: string) => escapeEntities(shown).replaceAll('"', '&quot;');

const html = (response: ServerResponse, status: number, body: string) =>
  answer(response, status, `<!doctype html><title>Authorize</title>${body}`, HTML);

function choices({ state }: Front, url: URL): string {
  const people = [...state.users.values()].filter(({ isBot, deleted }) => !isBot && !deleted);
  const links = people.map(({ id, teamId, realName }) => {
    const allow = new URL(url);
    allow.searchParams.set('as_team', teamId);
    allow.searchParams.set('as_user', id);
    const team = state.workspaces.get(teamId)?.name ?? teamId;
    const href = escapeHtml(allow.pathname + allow.search);
    return `<li><a href="${href}">Allow in ${escapeHtml(team)} as ${escapeHtml(realName)}</a></li>`;
  });
  return `<h1>Install ${escapeHtml(state.manifest.name)}?</h1><ul>${links.join('')}</ul>`;
}

/** A link for each person leads back to the app with a code. Shows Slack's error if the request is invalid. */
function authorizePage(front: Front, url: URL, response: ServerResponse): void {
  const workspace = front.state.workspaces.get(url.searchParams.get('as_team') ?? '');
  const userId = url.searchParams.get('as_user');
  try {
    const back = front.oauth.deny(url.toString());
    if (!workspace || !userId) {
      const cancel = `<p><a href="${escapeHtml(back)}">Cancel</a></p>`;
      html(response, 200, choices(front, url) + cancel);
      return;
    }
    const location = front.oauth.authorize(workspace, userId, url.toString());
    response.writeHead(302, { location }).end();
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error;
    html(response, 400, `<p>Something went wrong when authorizing this app: ${error.code}</p>`);
  }
}
