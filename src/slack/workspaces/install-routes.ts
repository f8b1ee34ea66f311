import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../../clock.ts';
import type { OAuthSettings } from '../../config/config.ts';
import { clientAddressOf } from '../../ops/client-address.ts';
import { type Page, redirect, sendPage } from '../../ops/html-page.ts';
import type { Route, Routes } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import { slackErrorCode } from '../client/errors.ts';
import { DENIED, failed, NOT_CONFIRMED, SCOPES, STALE_LINK } from '../words/install.ts';
import {
  confirmPage,
  errorPage,
  installedPage,
  installPage,
  tooManyRequestsPage,
} from './pages.ts';
import type { Installed, TokenExchange } from './token-exchange.ts';

/** Slack's codes for a rejected code (docs.slack.dev/reference/methods/oauth.v2.access). */
const CODE_REFUSED = new Set(['invalid_code', 'code_already_used', 'bad_redirect_uri']);

/** One person needs about three. An address may stand for a whole office. */
const PAGES_PER_MINUTE = 60;
const WINDOW_MS = 60_000;
/** The oldest are forgotten first, so memory is bounded whoever asks. */
const CLIENTS_MAX = 10_000;

const SECRET_BYTES = 16;
const SECRET = /^[A-Za-z0-9_-]{22}$/;
/** How long an installation may take, in seconds. */
const MAX_AGE_S = 30 * 60;

/** The state of an installation that Slack's admin pages began, and the person has confirmed in this browser. */
const confirmed = (secret: string) => `${secret}.confirmed`;

/**
 * `GET /slack/install` and `GET /slack/oauth_redirect`: OAuth v2, from the page that lists what the
 * app asks for to the one that says what comes next. `GET /slack/install/direct` goes straight to
 * Slack, as the Marketplace's button requires
 * (docs.slack.dev/slack-marketplace/slack-marketplace-app-guidelines-and-requirements).
 *
 * The `state` is a secret of the browser, which keeps it in a cookie, so only the browser that began an
 * installation can finish it. That Slack's code works once, and for ten minutes, is up to Slack.
 *
 * Not `@slack/oauth`: its InstallProvider either refuses installations from an organization's admin pages, which carry
 * no state, or checks no state at all.
 */
export function installRoutes(deps: {
  oauth: OAuthSettings;
  exchange: Pick<TokenExchange, 'code'>;
  onInstalled: (installed: Installed) => Promise<void>;
  now: () => Date;
  log: Log;
}): Routes {
  const { oauth, exchange, onInstalled, now, log } = deps;
  const redirectUri = `${oauth.publicUrl}/slack/oauth_redirect`;
  const isSecure = oauth.publicUrl.startsWith('https:');
  /** Over HTTPS with a prefix, so that no other host or subdomain can set it (RFC 6265bis). */
  const cookieName = `${isSecure ? '__Host-' : ''}design-request`;
  /** By address, how many pages were opened within a minute of the first. */
  const visits = new LRUCache<string, { count: number }>({
    ...atMost(CLIENTS_MAX),
    // One that is as old as that still counts.
    ...forAtMost(WINDOW_MS - 1, now),
  });

  function findSecret(request: IncomingMessage): string | undefined {
    const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
    const found = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`));
    const secret = found?.slice(cookieName.length + 1);
    return secret !== undefined && SECRET.test(secret) ? secret : undefined;
  }

  /** The browser's secret, or a new one, and the header that keeps it. Lax, since Slack redirects the browser here. */
  function keepSecret(request: IncomingMessage) {
    const secret = findSecret(request) ?? randomBytes(SECRET_BYTES).toString('base64url');
    const cookie = `${cookieName}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_S}`;
    return { secret, headers: { 'set-cookie': isSecure ? `${cookie}; Secure` : cookie } };
  }

  /** Anything that fails before the exchange can simply be started again. */
  async function finish(request: IncomingMessage, code: string, state: string): Promise<Page> {
    const secret = findSecret(request);
    const isConfirmed = secret !== undefined && state === confirmed(secret);
    if (!isConfirmed && state !== secret) return errorPage(400, STALE_LINK);
    try {
      // Slack's admin pages name no redirect address, and then neither may the exchange.
      const installed = await exchange.code(code, isConfirmed ? undefined : redirectUri);
      await onInstalled(installed);
      return installedPage(installed, oauth.authorizeUrl);
    } catch (error) {
      const refused = slackErrorCode(error);
      if (refused && CODE_REFUSED.has(refused)) {
        log.info({ code: refused }, 'Slack rejected an installation code');
        return errorPage(400, NOT_CONFIRMED);
      }
      const reference = newErrorReference();
      log.error({ err: error, ref: reference }, 'an installation failed');
      return errorPage(502, failed(reference));
    }
  }

  /** A link to Slack that only this browser can finish, and the cookie that makes sure of it. */
  function begin(request: IncomingMessage) {
    const { secret, headers } = keepSecret(request);
    const url = new URL(oauth.authorizeUrl);
    url.search = new URLSearchParams({
      client_id: oauth.clientId,
      scope: Object.keys(SCOPES).join(','),
      state: secret,
      redirect_uri: redirectUri,
    }).toString();
    return { url: url.toString(), headers };
  }

  async function handleRedirect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', oauth.publicUrl);
    const [code, state] = [searchParams.get('code'), searchParams.get('state')];
    if (searchParams.get('error') !== null) return sendPage(response, errorPage(200, DENIED));
    if (!code) return sendPage(response, errorPage(400, STALE_LINK));
    if (state) return sendPage(response, await finish(request, code, state));
    const { secret, headers } = keepSecret(request);
    sendPage(response, confirmPage({ code, state: confirmed(secret) }), headers);
  }

  const limited =
    (route: Route): Route =>
    async (request, response) => {
      const client = clientAddressOf(request);
      const pages = visits.get(client) ?? { count: 0 };
      if (pages.count === 0) visits.set(client, pages);
      pages.count += 1;
      if (pages.count <= PAGES_PER_MINUTE) return route(request, response);
      const waitMs = visits.getRemainingTTL(client) + 1;
      sendPage(response, tooManyRequestsPage, { 'retry-after': Math.ceil(waitMs / 1_000) });
    };

  return {
    'GET /slack/install': limited(async (request, response) => {
      const { url, headers } = begin(request);
      sendPage(response, installPage(url), headers);
    }),
    'GET /slack/install/direct': limited(async (request, response) => {
      const { url, headers } = begin(request);
      redirect(response, url, headers);
    }),
    'GET /slack/oauth_redirect': limited(handleRedirect),
  };
}
