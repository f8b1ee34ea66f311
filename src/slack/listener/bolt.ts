import {
  type AllMiddlewareArgs,
  App,
  type AppOptions,
  type BlockAction,
  type Receiver,
  type ViewClosedAction,
  type ViewSubmitAction,
} from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Log } from '../../ops/logging.ts';
import { boltLogger } from '../client/slack-client.ts';
import { withClient } from '../surface/replies.ts';
import { type EventDeps, eventListener, functionListener } from './events.ts';
import {
  actionListener,
  closedListener,
  commandListener,
  type InteractionDeps,
  optionsListener,
  shortcutListener,
  submissionListener,
} from './interactions.ts';

/** Bolt doesn't listen itself: `intake/` receives deliveries and passes them to `processEvent`. */
const NO_RECEIVER: Receiver = {
  init: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
};

const ANY = /^/;

/** Bolt, configured so that a failed handler is never reported as a success. */
export function createBolt(deps: {
  authorize: NonNullable<AppOptions['authorize']>;
  clientOptions: WebClientOptions;
  log: Log;
}): App {
  const { authorize, clientOptions, log } = deps;
  const bolt = new App({
    receiver: NO_RECEIVER,
    authorize,
    clientOptions,
    logger: boltLogger(log),
    // The transport checks the token when it starts.
    tokenVerificationEnabled: false,
    // This app doesn't use it, and it turns deliveries that it can't attribute into errors.
    convoStore: false,
    // The intake removes that token, and the installation's token may do everything that a step needs.
    attachFunctionToken: false,
  });
  // Rethrow: Bolt treats a handled error as a success and acknowledges.
  bolt.error(async (error) => {
    throw 'original' in error && error.original instanceof Error ? error.original : error;
  });
  return bolt;
}
/**
 * One listener for each kind of delivery, which finds the handler among the routes. Bolt asks every listener about
 * every delivery, so one for each button would cost processor time with every delivery.
 */
export function listen(bolt: App, deps: InteractionDeps & EventDeps): void {
  bolt.command(ANY, withOurClient(commandListener(deps)));
  bolt.shortcut(ANY, withOurClient(shortcutListener(deps)));
  bolt.action<BlockAction>(ANY, withOurClient(actionListener(deps)));
  bolt.options(ANY, withOurClient(optionsListener(deps)));
  bolt.view<ViewSubmitAction>({ type: 'view_submission' }, withOurClient(submissionListener(deps)));
  bolt.view<ViewClosedAction>({ type: 'view_closed' }, closedListener(deps));
  bolt.event('function_executed', withOurClient(functionListener(deps)));
  bolt.event(ANY, eventListener(deps));
}

const withOurClient =
  <Args extends Pick<AllMiddlewareArgs, 'client' | 'context'>>(
    listener: (args: Args) => Promise<void>,
  ) =>
  (args: Args): Promise<void> =>
    listener(withClient(args));
