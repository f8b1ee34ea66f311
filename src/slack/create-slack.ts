import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { Routes } from '../ops/http-server.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { type BuiltOn, createDeps } from './deps.ts';
import { createIntake } from './intake/intake.ts';
import { createSlackJobs } from './job-handlers.ts';
import { createBolt } from './listener/bolt.ts';
import { createGalleryLinks, galleryRoutes } from './work-object/gallery.ts';

/** Interactions are acknowledged within 3 s. Whatever they do after that may be lost. In ms. */
const LAST_INTERACTIONS_MS = 3_000;

/** Everything that takes what Slack delivers and handles it. */
export function createSlack(
  config: Config,
  on: BuiltOn & { clientOptions: WebClientOptions; metrics: Metrics },
) {
  const { workspaces, jobs, cards, now, log } = on;
  const { encryptionKeys: keys, publicUrl, designApi } = config;
  const gallery =
    publicUrl === undefined ? undefined : createGalleryLinks({ keys, publicUrl, now });
  const handlerDeps = createDeps(config, on, gallery);
  const { homes, settings } = handlerDeps;
  const routes: Routes = gallery
    ? galleryRoutes({
        links: gallery,
        cards,
        settings,
        has: workspaces.has,
        serviceOrigin: new URL(designApi.baseUrl).origin,
        log,
      })
    : {};
  const bolt = createBolt({ ...on, handlerDeps });
  const intake = createIntake({ ...on, bolt, queue: jobs, admit: workspaces.admit });
  return {
    intake,
    /** Resolves when nothing is being handled, and no Home tab drawn, or when that takes too long. */
    async finish(): Promise<void> {
      const idle = intake.idle().then(homes.idle);
      await Promise.race([idle, sleep(LAST_INTERACTIONS_MS, undefined, { ref: false })]);
    },
    /** What runs the jobs of Slack's side, and what those of requests and watched cards need of it. */
    forJobs: createSlackJobs(config, { ...handlerDeps, ...intake, files: on.files }),
    /** The pages of images. */
    routes,
  };
}
