import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OAuthSettings } from '../../config/config.ts';
import { clientAddressOf } from '../../ops/client-address.ts';
import type { Route, Routes } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import { createRateLimit } from '../../ops/rate-limit.ts';
import { newErrorReference } from '../../references.ts';
import { APP, type Entries } from '../../store/entries.ts';
import { slackErrorCode } from '../client/errors.ts';
import {
  DENIED,
  failed,
  INCOMPLETE_LINK,
  mismatch,
  NOT_CONFIRMED,
  SCOPES,
  STALE_LINK,
} from '../words/install.ts';
import { createBrowserCookie, createInstallStates, USED_STATE } from './install-state.ts';
import { createPageSender, type Page, redirect } from './page.ts';
import {
  confirmPage,
  errorPage,
  installPage,
  organizationInstalledPage,
  tooManyRequestsPage,
  workspaceInstalledPage,
} from './pages.ts';
import { type Installed, type TokenExchange, TokenMismatchError } from './token-exchange.ts';

/** Slack's codes for a rejected code (docs.slack.dev/reference/methods/oauth.v2.access). */
const CODE_REFUSED = new Set(['invalid_code', 'code_already_used', 'bad_redirect_uri']);

/** One person needs about three. An address may stand for a whole office. */
const PAGES_PER_MINUTE = 60;

/**
 * `GET /slack/install` and `GET /slack/oauth_redirect`: OAuth v2, from the page that lists what the
 * app asks for to the one that says what comes next. `GET /slack/install/direct` goes straight to
 * Slack, as the Marketplace's button requires
 * (docs.slack.dev/slack-marketplace/slack-marketplace-app-guidelines-and-requirements).
 *
 * Not `@slack/oauth`: its InstallProvider uses its own clock, accepts a state more than once, keeps
 * one state for all tabs of a browser, and either refuses installations from an organization's
 * admin pages, which carry no state, or checks no state at all.
 */
export function installRoutes(deps: {
  oauth: OAuthSettings;
  exchange: Pick<TokenExchange, 'code'>;
  entries: Entries;
  /** Stores an installation. */
  onInstalled: (installed: Installed) => Promise<void>;
  now: () => Date;
  log: Log;
}): Routes {
  const { oauth, exchange, entries, onInstalled, now, log } = deps;
  const redirectUri = `${oauth.publicUrl}/slack/oauth_redirect`;
  const isSecure = oauth.publicUrl.startsWith('https:');
  const cookie = createBrowserCookie({ isSecure });
  const sendPage = createPageSender({ isSecure });
  const limit = createRateLimit({ perMinute: PAGES_PER_MINUTE, now });
  const states = createInstallStates({ secret: oauth.stateSecret, now });

  function authorizeUrl(state: string): string {
    const url = new URL(oauth.authorizeUrl);
    const { clientId: client_id } = oauth;
    const scope = Object.keys(SCOPES).join(',');
    url.search = new URLSearchParams({
      client_id,
      scope,
      state,
      redirect_uri: redirectUri,
    }).toString();
    return url.toString();
  }

  /** Anything that fails before the exchange can simply be started again. */
  async function finish(request: IncomingMessage, code: string, state: string): Promise<Page> {
    const browser = cookie.find(request);
    const verified = browser && states.verify(state, browser);
    if (!verified) return errorPage(400, STALE_LINK);
    try {
      if (!(await entries.takeOnce({ kind: USED_STATE, owner: APP, name: verified.nonce }, now())))
        return errorPage(400, STALE_LINK);
      const installed = await exchange.code(code, verified.namesRedirect ? redirectUri : undefined);
      await onInstalled(installed);
      return installedPage(installed, oauth);
    } catch (error) {
      return explain(error);
    }
  }

  function explain(error: unknown): Page {
    const refused = slackErrorCode(error);
    if (refused && CODE_REFUSED.has(refused)) {
      log.info({ code: refused }, 'Slack rejected an installation code');
      return errorPage(400, NOT_CONFIRMED);
    }
    const reference = newErrorReference();
    log.error({ err: error, ref: reference }, 'an installation failed');
    const isMismatch = error instanceof TokenMismatchError;
    return errorPage(502, isMismatch ? mismatch(reference) : failed(reference));
  }

  /** A link to Slack that only this browser can finish, and the cookie that makes sure of it. */
  function begin(request: IncomingMessage) {
    const browser = cookie.read(request);
    const url = authorizeUrl(states.issue(browser, { namesRedirect: true }));
    return { url, headers: { 'set-cookie': cookie.header(browser) } };
  }

  async function comeBack(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', oauth.publicUrl);
    const [code, state] = [searchParams.get('code'), searchParams.get('state')];
    if (searchParams.get('error') !== null) return sendPage(response, errorPage(200, DENIED));
    if (!code) return sendPage(response, errorPage(400, INCOMPLETE_LINK));
    if (state) return sendPage(response, await finish(request, code, state));
    const browser = cookie.read(request);
    const confirmed = states.issue(browser, { namesRedirect: false });
    sendPage(response, confirmPage({ code, state: confirmed }), {
      'set-cookie': cookie.header(browser),
    });
  }

  const limited =
    (route: Route): Route =>
    async (request, response) => {
      const wait = limit.take(clientAddressOf(request));
      if (wait === undefined) return route(request, response);
      sendPage(response, tooManyRequestsPage, { 'retry-after': wait });
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
    'GET /slack/oauth_redirect': limited(comeBack),
  };
}

function installedPage({ id, name, appId, isOrganization }: Installed, oauth: OAuthSettings): Page {
  if (isOrganization) {
    // An organization's installation is in none of its workspaces yet (docs.slack.dev/enterprise).
    const workspacesUrl = `https://app.slack.com/manage/${encodeURIComponent(id)}/integrations/profile/${encodeURIComponent(appId)}/workspaces/add`;
    return organizationInstalledPage({ name, workspacesUrl });
  }
  // Opens the app's direct messages (docs.slack.dev/interactivity/deep-linking).
  const open = new URL('/app_redirect', oauth.authorizeUrl);
  open.search = new URLSearchParams({ app: appId, team: id }).toString();
  return workspaceInstalledPage({ name, openUrl: open.toString() });
}
