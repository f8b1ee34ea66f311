import { type AllMiddlewareArgs, App, type Receiver, type ViewSubmitAction } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import { boltLogger } from './client/bolt-logger.ts';
import { COMMAND } from './command/help.ts';
import { runCommand } from './command/registry.ts';
import type { CommandDeps } from './command/sub-command.ts';
import { actionListener, commandListener, linksListener } from './listener/acknowledged.ts';
import {
  actorOf,
  guardAction,
  guardLinks,
  guardOptions,
  guardStoredSubmission,
  guardSubmission,
} from './listener/guard.ts';
import { openModal } from './listener/open-modal.ts';
import { clientOf, type OptionsArgs } from './listener/replies.ts';
import { suggest } from './request-form/suggest.ts';
import { SURFACES, type Surface } from './surface.ts';
import {
  onAccessGranted,
  onAccessRevoked,
  onTokensRevoked,
  onUninstalled,
} from './tenancy/uninstalled.ts';
import type { Workspaces } from './tenancy/workspaces.ts';

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
  const bolt = new App({
    receiver: NO_RECEIVER,
    authorize: workspaces.authorize,
    clientOptions,
    logger: boltLogger(surface.log),
    // The receiver's start, not Bolt's constructor, finds out whether the token works.
    tokenVerificationEnabled: false,
    // It remembers nothing of this app's, and makes an error of every delivery that it knows nothing of.
    convoStore: false,
  });
  // Bolt takes a handler that returns for success and acknowledges; whoever called must hear of it.
  bolt.error(async (error) => {
    throw 'original' in error && error.original instanceof Error ? error.original : error;
  });
  registerSurface(bolt, surface);
  return bolt;
}

/** Everything that Slack can ask of this app. What people can do stands in a table, with who may. */
function registerSurface(bolt: App, deps: CommandDeps): void {
  bolt.command(COMMAND, acting(commandListener(deps, (args) => runCommand(deps, args))));
  for (const surface of SURFACES) register(bolt, deps, surface);

  // Slack itself reports these: no person is behind them.
  bolt.event('app_uninstalled', ({ body }) => onUninstalled(deps, body));
  bolt.event('tokens_revoked', ({ body }) => onTokensRevoked(deps, body));
  bolt.event('team_access_granted', ({ body }) => onAccessGranted(deps, body));
  bolt.event('team_access_revoked', ({ body }) => onAccessRevoked(deps, body));
}

function register(bolt: App, deps: CommandDeps, surface: Surface): void {
  const { id } = surface;
  switch (surface.kind) {
    case 'action': {
      const run = guardAction(deps, surface.access, surface.create(deps));
      bolt.action(id, acting(actionListener(deps, run)));
      return;
    }
    case 'modal':
      bolt.action(
        id,
        acting(
          actionListener(deps, (args) => {
            const opening = { ...actorOf(args), triggerId: args.body.trigger_id };
            return openModal(deps, opening, surface.access, surface.request(deps, args));
          }),
        ),
      );
      return;
    case 'options': {
      const list = guardOptions(deps, surface.access, (args: OptionsArgs, user) =>
        surface.list(deps, args, user),
      );
      bolt.options(
        id,
        acting((args: OptionsArgs) => suggest(deps, args, list)),
      );
      return;
    }
    case 'submission': {
      const submit = guardSubmission(deps, surface.access, (args) => surface.read(deps, args));
      bolt.view<ViewSubmitAction>(submitted(id), acting(submit));
      return;
    }
    case 'stored-submission': {
      const submit = guardStoredSubmission(deps, surface.access, (args) =>
        surface.submit(deps, args),
      );
      bolt.view<ViewSubmitAction>(submitted(id), acting(submit));
      return;
    }
    case 'links': {
      const run = guardLinks(deps, surface.access, surface.create(deps));
      bolt.event(surface.id, acting(linksListener(deps, run)));
      return;
    }
    case 'url-button':
      bolt.action(id, ({ ack }) => ack());
      return;
  }
}

const submitted = (callback_id: string) => ({ callback_id, type: 'view_submission' as const });

/** Gives a listener the client that `authorize` chose, in place of Bolt's own. */
const acting =
  <Args extends Pick<AllMiddlewareArgs, 'client' | 'context'>>(
    listener: (args: Args) => Promise<void>,
  ) =>
  (args: Args): Promise<void> =>
    listener({ ...args, client: clientOf(args.context) });
