import type { IncomingMessage } from 'node:http';
import type { OAuthSettings } from '../../config/config.ts';
import type { Routes } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import type { InstallStateStore } from '../../store/install-states.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { Installed, TokenExchange } from '../tenancy/token-exchange.ts';
import { TokenMismatchError } from '../tenancy/whose-token.ts';
import { createBrowserCookie } from './browser-cookie.ts';
import { createInstallStates } from './install-state.ts';
import { type Page, sendPage } from './page.ts';
import {
  confirmPage,
  deniedPage,
  failedPage,
  incompleteLinkPage,
  installPage,
  mismatchPage,
  organisationInstalledPage,
  refusedPage,
  staleLinkPage,
  workspaceInstalledPage,
} from './pages.ts';
import { SCOPES } from './scopes.ts';

/** What Slack says of a code that it does not take (docs.slack.dev/reference/methods/oauth.v2.access). */
const CODE_REFUSED = new Set(['invalid_code', 'code_already_used', 'bad_redirect_uri']);

/**
 * `GET /slack/install` and `GET /slack/oauth_redirect`: OAuth v2, from the page that says what the app
 * asks for to the one that says what comes next.
 *
 * @slack/oauth's InstallProvider is not used: it has a clock of its own, takes a state more than once,
 * keeps one for all tabs of a browser, and either refuses installs from an organisation's admin pages,
 * which have none, or checks none at all.
 */
export function installRoutes(deps: {
  oauth: OAuthSettings;
  exchange: Pick<TokenExchange, 'code'>;
  usedStates: Pick<InstallStateStore, 'use'>;
  /** Keeps an install. */
  onInstalled: (installed: Installed) => Promise<void>;
  now: () => Date;
  log: Log;
}): Routes {
  const { oauth, exchange, usedStates, onInstalled, now, log } = deps;
  const redirectUri = `${oauth.publicUrl}/slack/oauth_redirect`;
  const cookie = createBrowserCookie({ isSecure: oauth.publicUrl.startsWith('https:') });
  const states = createInstallStates({ secret: oauth.stateSecret, now });

  function authorizeUrl(state: string): string {
    const url = new URL(oauth.authorizeUrl);
    const { clientId: client_id } = oauth;
    const scope = Object.keys(SCOPES).join(',');
    url.search = new URLSearchParams({
      ...{ client_id, scope, state, redirect_uri: redirectUri },
    }).toString();
    return url.toString();
  }

  /** Everything up to the exchange costs nothing that could not be begun again. */
  async function finish(request: IncomingMessage, code: string, state: string): Promise<Page> {
    const browser = cookie.find(request);
    const begun = browser && states.verify(state, browser);
    if (!begun) return staleLinkPage;
    try {
      if (!(await usedStates.use(begun.nonce, begun.expiresAt))) return staleLinkPage;
      const installed = await exchange.code(code, begun.namesRedirect ? redirectUri : undefined);
      await onInstalled(installed);
      return installedPage(installed, oauth);
    } catch (error) {
      return explain(error);
    }
  }

  function explain(error: unknown): Page {
    const refused = slackErrorCode(error);
    if (refused && CODE_REFUSED.has(refused)) {
      log.info({ code: refused }, 'Slack did not take a code');
      return refusedPage;
    }
    const reference = newErrorReference();
    log.error({ err: error, ref: reference }, 'an installation failed');
    const isMismatch = error instanceof TokenMismatchError;
    return isMismatch ? mismatchPage(reference) : failedPage(reference);
  }

  return {
    'GET /slack/install': async (request, response) => {
      const browser = cookie.read(request);
      const state = states.issue(browser, { namesRedirect: true });
      sendPage(response, installPage(authorizeUrl(state)), {
        'set-cookie': cookie.header(browser),
      });
    },

    'GET /slack/oauth_redirect': async (request, response) => {
      const { searchParams } = new URL(request.url ?? '/', oauth.publicUrl);
      const [code, state] = [searchParams.get('code'), searchParams.get('state')];
      if (searchParams.get('error') !== null) return sendPage(response, deniedPage);
      if (!code) return sendPage(response, incompleteLinkPage);
      if (state) return sendPage(response, await finish(request, code, state));
      const browser = cookie.read(request);
      const confirmed = states.issue(browser, { namesRedirect: false });
      sendPage(response, confirmPage({ code, state: confirmed }), {
        'set-cookie': cookie.header(browser),
      });
    },
  };
}

function installedPage({ id, name, appId, isOrganisation }: Installed, oauth: OAuthSettings): Page {
  if (isOrganisation) {
    // docs.slack.dev/enterprise: an organisation's install is in none of its workspaces yet.
    const workspacesUrl = `https://app.slack.com/manage/${encodeURIComponent(id)}/integrations/profile/${encodeURIComponent(appId)}/workspaces/add`;
    return organisationInstalledPage({ name, workspacesUrl });
  }
  // docs.slack.dev/interactivity/deep-linking: the direct messages with an app.
  const open = new URL('/app_redirect', oauth.authorizeUrl);
  open.search = new URLSearchParams({ app: appId, team: id }).toString();
  return workspaceInstalledPage({ name, openUrl: open.toString() });
}
