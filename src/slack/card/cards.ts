import type { Config } from '../../config/config.ts';
import type { DesignService } from '../../design-service.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import type { Stores } from '../../store/stores.ts';
import { createWatching } from '../../watching/begin-watching.ts';
import type { Conversations } from '../client/conversations.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { People } from '../client/people.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { Homes } from '../home/homes.ts';
import type { Confirmations } from '../request-form/confirmation.ts';
import type { AccessControl } from '../surface/access.ts';
import { createCardButtons } from './buttons.ts';
import { createCardMessages } from './card-messages.ts';
import { createCardViews } from './card-view.ts';
import { createDetails } from './details.ts';
import { createGalleryLinks, galleryRoutes } from './gallery.ts';
import { createUnfurlHandler } from './unfurl.ts';
import { createWatchNotifier } from './watch-notifier.ts';

/** Where cards are shown, what their buttons do, and how people hear of their changes. */
export function createCards(
  { encryptionKeys, publicUrl, designApi }: Config,
  deps: Pick<DesignService, 'service' | 'cards' | 'referenceLists'> & {
    stores: Stores;
    clients: SlackClients;
    hasApp: (workspaceId: WorkspaceId) => Promise<boolean>;
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
  const { clients, hasApp, settings, people, conversations, directMessages } = deps;
  const { service, cards, referenceLists, access, jobs, now, log } = deps;
  const { requests, watches, entries, transact } = deps.stores;
  const gallery = publicUrl
    ? createGalleryLinks({ keys: encryptionKeys, publicUrl, now })
    : undefined;
  const cardViews = createCardViews({
    ...{ cards, referenceLists, requests, watches, people, conversations, access, now },
  });
  const cardMessages = createCardMessages({ settings, gallery, now, log });
  const show = { cards, cardViews, cardMessages };
  const details = createDetails({ ...show, access, conversations, log });
  const watching = createWatching({ transact, now, log });
  return {
    views: cardViews,
    messages: cardMessages,
    unfurl: createUnfurlHandler({
      ...{ ...show, settings, watching, entries, access, directMessages, now, log },
    }),
    openDetails: details.open,
    buttons: createCardButtons({
      ...{ ...show, settings, conversations, service, access, details, watching },
    }),
    /** Home tabs and confirmations show cards, too. */
    notifier: (others: { homes: Homes; confirmations: Confirmations }) =>
      createWatchNotifier({
        ...{ ...show, ...others, settings, clients, people, requests, watches, jobs },
        ...{ conversations, directMessages, now, log },
      }),
    galleryRoutes:
      gallery &&
      galleryRoutes({
        ...{ links: gallery, cards, settings, log },
        hasApp,
        serviceOrigin: new URL(designApi.baseUrl).origin,
      }),
  };
}
