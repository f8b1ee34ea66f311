import type { Config } from '../../config/config.ts';
import type { DesignService } from '../../design-service.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import type { Stores } from '../../store/stores.ts';
import { createWatching } from '../../watching/begin-watching.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import type { Conversations } from '../client/conversations.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { People } from '../client/people.ts';
import type { Homes } from '../home/homes.ts';
import type { Confirmations } from '../request-form/confirmation.ts';
import type { AccessControl } from '../surface/access.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { createCardButtons } from './buttons.ts';
import { createCardMessages } from './card-messages.ts';
import { createCardViews } from './card-view.ts';
import { createDetails } from './details.ts';
import { createGalleryLinks, galleryRoutes } from './gallery.ts';
import { createCardRedrawing } from './show-change.ts';
import { createChangeMessages } from './tell-watchers.ts';
import { createUnfurlHandler } from './unfurl.ts';

/** Where cards are shown, what their buttons do, and how people hear of their changes. */
export function createCards(
  {
    encryptionKeys,
    publicUrl,
    designApi,
  }: Pick<Config, 'encryptionKeys' | 'publicUrl' | 'designApi'>,
  deps: Pick<DesignService, 'service' | 'cards' | 'referenceLists'> & {
    stores: Stores;
    workspaces: Workspaces;
    settings: WorkspaceSettingsStore;
    people: People;
    conversations: Conversations;
    directMessages: DirectMessages;
    access: AccessControl;
    jobs: Pick<JobQueue, 'add'>;
    now: () => Date;
    log: Log;
  },
) {
  const { stores, workspaces, settings, cards, now, log } = deps;
  const gallery = publicUrl
    ? createGalleryLinks({ keys: encryptionKeys, publicUrl, now })
    : undefined;
  const cardViews = createCardViews({ ...deps, ...stores });
  const cardMessages = createCardMessages({ settings, gallery, now, log });
  const details = createDetails({ ...deps, cardViews, cardMessages });
  const watching = createWatching({ transact: stores.transact, now, log });
  const shown = { ...deps, ...stores, cardViews, cardMessages, watching };
  return {
    views: cardViews,
    messages: cardMessages,
    unfurl: createUnfurlHandler(shown),
    openDetails: details.open,
    buttons: createCardButtons({ ...shown, details }),
    /** @param homes and confirmations show cards, too */
    notifier: (others: { homes: Homes; confirmations: Confirmations }): WatchNotifier => ({
      show: createCardRedrawing({ ...shown, ...others, clients: workspaces }),
      tell: createChangeMessages({ ...shown, clients: workspaces }),
    }),
    galleryRoutes:
      gallery &&
      galleryRoutes({
        ...{ links: gallery, cards, settings, log },
        has: workspaces.has,
        serviceOrigin: new URL(designApi.baseUrl).origin,
      }),
  };
}
