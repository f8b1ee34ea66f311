import { createRequire } from 'node:module';
import type { App, Receiver, ViewSubmitAction } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import { actionListener, commandListener } from './acknowledged.ts';
import { boltLogger } from './bolt-logger.ts';
import { CARD_ACTIONS } from './card/ids.ts';
import { onRefresh } from './card/refresh.ts';
import { onShare } from './card/share.ts';
import { createLinkShared } from './card/unfurl.ts';
import { createClientPools } from './client-pools.ts';
import { COMMAND } from './command/help.ts';
import { runCommand } from './command/registry.ts';
import type { CommandDeps } from './command/sub-command.ts';
import { onConnectSubmitted } from './connect/connect.ts';
import { CONNECT_VIEW } from './connect/connect-view.ts';
import { DISCONNECT_ACTION, onDisconnect } from './connect/disconnect.ts';
import type { ActionArgs } from './listeners.ts';
import { createTypeChange } from './request-form/change-type.ts';
import { onDecision } from './request-form/decide.ts';
import { FORM_ACTIONS, REQUEST_FORM, SEARCHED_FIELDS } from './request-form/ids.ts';
import { onOpenWithTyped } from './request-form/open-with-typed.ts';
import { onReopen } from './request-form/reopen.ts';
import { onRetryLoading } from './request-form/retry-loading.ts';
import { onSubmit } from './request-form/submit.ts';
import { suggest } from './request-form/suggest.ts';
import { onSettingsSubmitted } from './settings/settings.ts';
import { SETTINGS_VIEW } from './settings/settings-view.ts';
import { onAccessGranted, onAccessRevoked, onTokensRevoked, onUninstalled } from './uninstalled.ts';
import type { Workspaces } from './workspaces.ts';

// By its path: the package's index loads Express and two more receivers, which are not used.
const load = createRequire(import.meta.url);
const { default: BoltApp } = load('@slack/bolt/dist/App') as { default: typeof App };

/** Slack's deliveries come in by `intake/`, which gives them to `processEvent`; Bolt itself listens to nothing. */
const NO_RECEIVER: Receiver = {
  init: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
};

/** Bolt, set up so that no failure passes for success. */
export function createBolt(deps: {
  workspaces: Workspaces;
  clientOptions: WebClientOptions;
  surface: CommandDeps;
}): App {
  const { workspaces, clientOptions, surface } = deps;
  const bolt = new BoltApp({
    receiver: NO_RECEIVER,
    authorize: workspaces.authorize,
    clientOptions,
    logger: boltLogger(surface.log),
    // The receiver's start, not Bolt's constructor, finds out whether the token works.
    tokenVerificationEnabled: false,
    // It remembers nothing of this app's, and makes an error of every delivery that it knows nothing of.
    convoStore: false,
  });
  Reflect.set(bolt, 'clients', createClientPools());
  // Bolt takes a handler that returns for success and acknowledges; whoever called must hear of it.
  bolt.error(async (error) => {
    throw 'original' in error && error.original instanceof Error ? error.original : error;
  });
  registerSurface(bolt, surface);
  return bolt;
}

const submitted = (callback_id: string) => ({ callback_id, type: 'view_submission' as const });

/** Everything that Slack can ask of this app. */
function registerSurface(bolt: App, deps: CommandDeps): void {
  const { catalogue } = deps;
  const press = (run: (deps: CommandDeps, args: ActionArgs) => Promise<void>) =>
    actionListener(deps, (args) => run(deps, args));

  bolt.command(
    COMMAND,
    commandListener(deps, (args) => runCommand(deps, args)),
  );

  bolt.event('link_shared', createLinkShared(deps));
  bolt.action(CARD_ACTIONS.open, ({ ack }) => ack());
  bolt.action(CARD_ACTIONS.refresh, press(onRefresh));
  bolt.action(CARD_ACTIONS.share, press(onShare));

  bolt.view<ViewSubmitAction>(submitted(REQUEST_FORM), (args) => onSubmit(deps, args));
  bolt.action(SEARCHED_FIELDS.requestType, actionListener(deps, createTypeChange(deps)));
  bolt.options(SEARCHED_FIELDS.requestType, (args) => suggest(deps, args, catalogue.requestTypes));
  bolt.options(SEARCHED_FIELDS.brand, (args) => suggest(deps, args, catalogue.brands));
  bolt.action(FORM_ACTIONS.retryLoading, press(onRetryLoading));
  bolt.action(FORM_ACTIONS.openWithTyped, press(onOpenWithTyped));
  bolt.action(FORM_ACTIONS.openCard, ({ ack }) => ack());
  bolt.action(FORM_ACTIONS.reopen, press(onReopen));
  bolt.action(
    FORM_ACTIONS.sendAgain,
    press((d, args) => onDecision(d, args, 'send_again')),
  );
  bolt.action(
    FORM_ACTIONS.itIsThere,
    press((d, args) => onDecision(d, args, 'it_is_there')),
  );
  bolt.action(
    FORM_ACTIONS.discard,
    press((d, args) => onDecision(d, args, 'discard')),
  );

  bolt.event('app_uninstalled', ({ body }) => onUninstalled(deps, body));
  bolt.event('tokens_revoked', ({ body }) => onTokensRevoked(deps, body));
  bolt.event('team_access_granted', ({ body }) => onAccessGranted(deps, body));
  bolt.event('team_access_revoked', ({ body }) => onAccessRevoked(deps, body));

  bolt.view<ViewSubmitAction>(submitted(CONNECT_VIEW), (args) => onConnectSubmitted(deps, args));
  bolt.action(DISCONNECT_ACTION, press(onDisconnect));
  bolt.view<ViewSubmitAction>(submitted(SETTINGS_VIEW), (args) => onSettingsSubmitted(deps, args));
}
