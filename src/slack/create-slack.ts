import { setTimeout as sleep } from 'node:timers/promises';
import { App, type AppOptions, type Receiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { Log } from '../ops/logging.ts';
import { boltLogger } from './client/slack-client.ts';
import { type AppParts, createSurfaces } from './create-surfaces.ts';
import { createIntake } from './intake/intake.ts';
import { createDispatch } from './listener/dispatch.ts';
import { createRoutes } from './listener/routes.ts';

/** How long stopping waits for interactions, in ms. They are acknowledged within 3 s; later work may be lost. */
const LAST_INTERACTIONS_MS = 3_000;

/** Builds everything that receives and handles what Slack delivers. */
export function createSlack(config: Config, parts: AppParts) {
  const { workspaces, clientOptions, metrics, deleteIfUninstalled, now, log } = parts;
  const { surfaces, forListeners, forJobs, routes } = createSurfaces(config, parts);
  const { authorize, admit } = workspaces;
  const { entries, jobTable: jobs } = parts.stores;
  const bolt = createBolt(authorize, clientOptions, log);
  // One middleware for all deliveries: Bolt asks each of its listeners about each of them.
  bolt.use(createDispatch({ routes: createRoutes(surfaces), entries, ...forListeners, now, log }));
  const intake = createIntake({ bolt, jobs, admit, deleteIfUninstalled, metrics, now, log });
  return {
    intake,
    /** Resolves once nothing is being handled or drawn, at the latest after LAST_INTERACTIONS_MS. */
    async finish(): Promise<void> {
      const idle = intake.idle().then(forListeners.homes.idle);
      await Promise.race([idle, sleep(LAST_INTERACTIONS_MS, undefined, { ref: false })]);
    },
    forJobs: { ...forJobs, handlers: { ...forJobs.handlers, ...intake.handlers } },
    routes,
  };
}

/** Bolt doesn't listen itself: `intake/` receives deliveries and passes them to `processEvent`. */
const NO_RECEIVER: Receiver = {
  init: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
};

/** Bolt, configured so that a failed handler is never reported as a success. */
function createBolt(
  authorize: NonNullable<AppOptions['authorize']>,
  clientOptions: WebClientOptions,
  log: Log,
): App {
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
