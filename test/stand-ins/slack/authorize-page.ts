import type { ServerResponse } from 'node:http';
import type { Front } from './http-front.ts';
import { SlackRefusal } from './refusal.ts';

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function html(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>Authorize</title>${body}`);
}

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

/**
 * The page where people approve an app: a link for each person, which leads back to the app with a code. Shows
 * Slack's error if the request is invalid.
 */
export function authorizePage(front: Front, url: URL, response: ServerResponse): void {
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
