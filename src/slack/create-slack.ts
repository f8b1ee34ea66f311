import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClientOptions } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { EffectiveKeys } from '../installations/effective-keys.ts';
import { createChannelSettings, createWorkspaceSettings } from '../installations/settings.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Routes } from '../ops/http-server.ts';
import type { Log } from '../ops/logging.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { createFormDefaults } from '../requests/form-defaults.ts';
import { createUnfinishedForms } from '../requests/unfinished-forms.ts';
import type { CardReader } from '../service/cache/card-reader.ts';
import type { ReferenceLists } from '../service/cache/reference-lists.ts';
import type { CardLinks } from '../service/card-links.ts';
import type { ServiceAccess } from '../service/service-access.ts';
import type { Stores } from '../store/stores.ts';
import { createIncompleteMessages } from './card/posted-links.ts';
import { createUnfurlLimit } from './card/unfurl-limit.ts';
import { createAdminToAsk } from './client/admin-to-ask.ts';
import { createConversations } from './client/conversations.ts';
import { createDirectMessages } from './client/direct-messages.ts';
import { createPeople } from './client/people.ts';
import type { SlackDeps } from './deps.ts';
import { createFormFilesAccess } from './files/form-files.ts';
import { createHomes } from './home/homes.ts';
import { createIntake } from './intake/intake.ts';
import { createBolt } from './listener/bolt.ts';
import type { FormFiles } from './request-form/draft.ts';
import { createOutcomes } from './views/update-view.ts';
import { createGalleryLinks } from './work-object/gallery-links.ts';
import { galleryRoutes } from './work-object/gallery-routes.ts';
import { createWorkObjects } from './work-object/work-objects.ts';
import type { Workspaces } from './workspaces/workspaces.ts';

/** Interactions are acknowledged within 3 s. Whatever they do after that may be lost. In ms. */
const LAST_INTERACTIONS_MS = 3_000;

/** Everything that takes what Slack delivers and handles it. */
export function createSlack(
  config: Config,
  deps: {
    stores: Stores;
    workspaces: Workspaces;
    clientOptions: WebClientOptions;
    jobs: JobQueue;
    keys: EffectiveKeys;
    service: ServiceAccess;
    referenceLists: ReferenceLists;
    cards: CardReader;
    cardLinks: CardLinks;
    /** What the form accepts; undefined if it takes no files. */
    forForms: FormFiles | undefined;
    deleteIfUninstalled: SlackDeps['deleteIfUninstalled'];
    metrics: Metrics;
    now: () => Date;
    log: Log;
  },
) {
  const { stores, workspaces, forForms, cards, cardLinks, now, log } = deps;
  const { encryptionKeys: keys, publicUrl, supportUrl, designApi } = config;
  const { entries } = stores;
  const settings = createWorkspaceSettings(entries);
  const gallery =
    publicUrl === undefined ? undefined : createGalleryLinks({ keys, publicUrl, now });
  const formFiles = createFormFilesAccess({ clients: workspaces, formFiles: forForms, now });
  const people = createPeople(performance, formFiles.note);
  const shared = {
    ...stores,
    ...deps,
    ...createAdminToAsk({ ...stores, ...deps, people }),
    clients: workspaces,
    settings,
    channelSettings: createChannelSettings(entries),
    formDefaults: createFormDefaults(entries),
    unfinishedForms: createUnfinishedForms(stores),
    formFiles,
    people,
    conversations: createConversations(),
    directMessages: createDirectMessages({ entries, now, log }),
    outcomes: createOutcomes({ log }),
    unfurlLimit: createUnfurlLimit(now),
    incompleteMessages: createIncompleteMessages(),
    workObjects: createWorkObjects({ settings, gallery, cardLinks, now, log }),
    partnerName: designApi.partnerName,
    supportUrl,
  };
  const handlerDeps = { ...shared, homes: createHomes(shared) };
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
  const bolt = createBolt({ ...deps, handlerDeps });
  const intake = createIntake({ ...deps, bolt, queue: deps.jobs, admit: workspaces.admit });
  return {
    intake,
    /** Resolves when nothing is being handled, and no Home tab drawn, or when that takes too long. */
    async finish(): Promise<void> {
      const idle = intake.idle().then(handlerDeps.homes.idle);
      await Promise.race([idle, sleep(LAST_INTERACTIONS_MS, undefined, { ref: false })]);
    },
    handlerDeps,
    /** The pages of images. */
    routes,
  };
}
