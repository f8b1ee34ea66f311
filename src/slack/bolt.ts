import {
  type AllMiddlewareArgs,
  App,
  type Receiver,
  type ViewClosedAction,
  type ViewSubmitAction,
} from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import { pressedInMenu } from './card/menu.ts';
import { boltLogger } from './client/bolt-logger.ts';
import { COMMAND } from './command/help.ts';
import { runCommand } from './command/registry.ts';
import type { SlackDeps } from './deps.ts';
import {
  actionListener,
  commandListener,
  linksListener,
  shortcutListener,
} from './listener/acknowledged.ts';
import {
  actorOf,
  guardAction,
  guardLinks,
  guardOptions,
  guardStoredSubmission,
  guardSubmission,
} from './listener/guard.ts';
import { openModal } from './listener/open-modal.ts';
import {
  type ActionArgs,
  clientOf,
  type DetailsArgs,
  type HomeOpenedArgs,
  type OptionsArgs,
} from './listener/replies.ts';
import { answerSearch } from './request-form/answer-search.ts';
import { type ButtonSurface, SURFACES, type Surface } from './surface.ts';
import {
  onAccessGranted,
  onAccessRevoked,
  onTokensRevoked,
  onUninstalled,
} from './tenancy/uninstalled.ts';
import type { Workspaces } from './tenancy/workspaces.ts';
import { guardStep, guardStepOptions } from './workflow-step/guard-step.ts';

/** Bolt doesn't listen itself: `intake/` receives deliveries and passes them to `processEvent`. */
const NO_RECEIVER: Receiver = {
  init: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
};

/** Bolt, configured so that a failed handler is never reported as a success. */
export function createBolt(deps: {
  workspaces: Workspaces;
  clientOptions: WebClientOptions;
  handlerDeps: SlackDeps;
}): App {
  const { workspaces, clientOptions, handlerDeps } = deps;
  const bolt = new App({
    receiver: NO_RECEIVER,
    authorize: workspaces.authorize,
    clientOptions,
    logger: boltLogger(handlerDeps.log),
    // The transport checks the token when it starts.
    tokenVerificationEnabled: false,
    // This app doesn't use it, and it turns deliveries that it can't attribute into errors.
    convoStore: false,
    // The intake removes it, and the installation's token may do everything that a step needs.
    attachFunctionToken: false,
  });
  // Rethrow: Bolt treats a handled error as a success and acknowledges.
  bolt.error(async (error) => {
    throw 'original' in error && error.original instanceof Error ? error.original : error;
  });
  registerSurfaces(bolt, handlerDeps);
  return bolt;
}

/**
 * Registers everything that Slack can send. What people can do is in a table, with who may do it.
 */
function registerSurfaces(bolt: App, deps: SlackDeps): void {
  bolt.command(COMMAND, withClient(commandListener(deps, (args) => runCommand(deps, args))));
  for (const surface of SURFACES) register(bolt, deps, surface);

  // Sent by Slack itself, not by a person.
  bolt.event('app_uninstalled', ({ body }) => onUninstalled(deps, body));
  bolt.event('tokens_revoked', ({ body }) => onTokensRevoked(deps, body));
  bolt.event('team_access_granted', ({ body }) => onAccessGranted(deps, body));
  bolt.event('team_access_revoked', ({ body }) => onAccessRevoked(deps, body));
}

function register(bolt: App, deps: SlackDeps, surface: Surface): void {
  const { id } = surface;
  switch (surface.kind) {
    case 'action':
    case 'modal':
    case 'sub-command':
      bolt.action(id, withClient(actionListener(deps, runButton(deps, surface))));
      return;
    case 'menu':
      bolt.action(id, withClient(actionListener(deps, runEntry(deps))));
      return;
    case 'shortcut':
      bolt.shortcut(
        id,
        withClient(
          shortcutListener(deps, surface.notOpened, (args) => {
            const opening = { ...actorOf(args), triggerId: args.body.trigger_id };
            return openModal(deps, opening, surface.access, surface.modal(deps, args));
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
        withClient((args: OptionsArgs) => answerSearch(deps, args, list)),
      );
      return;
    }
    case 'submission': {
      const submit = guardSubmission(deps, surface.access, (args) => surface.read(deps, args));
      bolt.view<ViewSubmitAction>(submitted(id), withClient(submit));
      return;
    }
    case 'stored-submission': {
      const submit = guardStoredSubmission(deps, surface.access, (args) =>
        surface.submit(deps, args),
      );
      bolt.view<ViewSubmitAction>(submitted(id), withClient(submit));
      return;
    }
    case 'closed':
      bolt.view<ViewClosedAction>({ callback_id: id, type: 'view_closed' }, (args) =>
        surface.close(deps, args),
      );
      return;
    case 'links': {
      const run = guardLinks(deps, surface.access, surface.create(deps));
      bolt.event(surface.id, withClient(linksListener(deps, run)));
      return;
    }
    case 'step':
      bolt.function(
        id,
        withClient(guardStep(deps, surface.access, (args, user) => surface.run(deps, args, user))),
      );
      return;
    case 'step-options':
      bolt.function(
        id,
        { autoAcknowledge: false },
        withClient(
          guardStepOptions(deps, surface.access, (args, user) => surface.list(deps, args, user)),
        ),
      );
      return;
    case 'home':
      bolt.event(
        surface.id,
        withClient((args: HomeOpenedArgs) => surface.open(deps, args)),
      );
      return;
    case 'details':
      bolt.event(
        surface.id,
        withClient((args: DetailsArgs) => surface.present(deps, args, surface.access)),
      );
      return;
    case 'url-button':
      bolt.action(id, ({ ack }) => ack());
      return;
  }
}

/** What a button does, for people with access. */
function runButton(deps: SlackDeps, surface: ButtonSurface): (args: ActionArgs) => Promise<void> {
  if (surface.kind === 'sub-command') return (args) => surface.run(deps, args);
  const { access } = surface;
  if (surface.kind === 'action') {
    const run = surface.create(deps);
    return guardAction(deps, access, async (args, user) => {
      await run(args, user);
      deps.homes.pressed(args);
    });
  }
  return (args) => {
    const { trigger_id: triggerId, view } = args.body;
    const opening = { ...actorOf(args), triggerId, isInModal: view?.type === 'modal' };
    return openModal(deps, opening, access, surface.modal(deps, args));
  };
}

/** What an entry of a menu does: the same as the button that it stands for. */
function runEntry(deps: SlackDeps): (args: ActionArgs) => Promise<void> {
  const buttons = new Map(
    SURFACES.filter((one) => one.kind === 'action' || one.kind === 'modal').map((one) => [
      one.id,
      runButton(deps, one),
    ]),
  );
  return async (args) => {
    const action = pressedInMenu(args.action);
    await buttons.get(action?.action_id ?? '')?.({ ...args, action: action ?? args.action });
  };
}

const submitted = (callback_id: string) => ({ callback_id, type: 'view_submission' as const });

/** Passes the client that `authorize` chose to a listener, instead of Bolt's own. */
const withClient =
  <Args extends Pick<AllMiddlewareArgs, 'client' | 'context'>>(
    listener: (args: Args) => Promise<void>,
  ) =>
  (args: Args): Promise<void> =>
    listener({ ...args, client: clientOf(args.context) });
