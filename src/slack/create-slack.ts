import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { type AppParts, createSurfaces } from './create-surfaces.ts';
import { createIntake } from './intake/intake.ts';
import { createBolt, listen } from './listener/bolt.ts';
import { createRoutes } from './listener/routes.ts';
import { SLACK_JOBS } from './surface/jobs.ts';
import { createIsFirstDelivery } from './surface/replies.ts';

/** How long stopping waits for interactions, in ms. They are acknowledged within 3 s; later work may be lost. */
const LAST_INTERACTIONS_MS = 3_000;

/** Builds everything that receives and handles what Slack delivers. */
export function createSlack(config: Config, parts: AppParts) {
  const { workspaces, clientOptions, metrics, jobs, deleteIfUninstalled, now, log } = parts;
  const { surfaces, forListeners, forJobs, routes } = createSurfaces(config, parts);
  const { authorize, admit } = workspaces;
  const bolt = createBolt({ authorize, clientOptions, log });
  const { entries } = parts.stores;
  const isFirstDelivery = createIsFirstDelivery({ entries, now, log });
  listen(bolt, { routes: createRoutes(surfaces), isFirstDelivery, ...forListeners, log });
  const intake = createIntake({ bolt, queue: jobs, admit, deleteIfUninstalled, metrics, now, log });
  return {
    intake,
    /** Resolves once nothing is being handled or drawn, at the latest after LAST_INTERACTIONS_MS. */
    async finish(): Promise<void> {
      const idle = intake.idle().then(forListeners.homes.idle);
      await Promise.race([idle, sleep(LAST_INTERACTIONS_MS, undefined, { ref: false })]);
    },
    forJobs: {
      ...forJobs,
      handlers: { ...forJobs.handlers, [SLACK_JOBS.event]: intake.runStoredEvent },
    },
    routes,
  };
}
