import type { Config } from './config/config.ts';
import { createOutage, type Log } from './ops/logging.ts';
import type { Metrics } from './ops/metrics/metrics.ts';
import { isUnfurled } from './public-host.ts';
import { type CardLinks, createCardLinks } from './references.ts';
import { linkReadCard } from './requests/link-card.ts';
import { createGates } from './service/budget/gate.ts';
import { createCardReader } from './service/cache/card-reader.ts';
import { createReferenceLists } from './service/cache/reference-lists.ts';
import { createDesignApi } from './service/client.ts';
import { createEffectiveKeys, createServiceAccess } from './service/service-access.ts';
import { keyRejectedJob } from './slack/settings/tell-admins.ts';
import type { Stores } from './store/stores.ts';
import { recordRefreshes } from './watching/record-reading.ts';

/** Some API keys may still work; those that fail are tried again about every minute. */
const SERVICE_FAILS_FOR_MS = 3 * 60_000;

export type DesignService = ReturnType<typeof createDesignService>;
export type Cards = DesignService['cards'];

/** The workspaces' keys, what may be called with them, and what is cached of the answers. */
export function createDesignService(
  { designApi, cardUrlTemplates }: Config,
  deps: { stores: Stores; isShared: boolean; metrics: Metrics; now: () => Date; log: Log },
) {
  const { stores, isShared, metrics, now, log } = deps;
  const { entries, organizations, requests, transact } = stores;
  const outage = createOutage(log, {
    begins: 'the design service at DESIGN_API_BASE_URL keeps failing, so requests wait',
    ends: 'the design service at DESIGN_API_BASE_URL works again',
  });
  const gates = createGates({
    store: stores.budgets,
    now,
    observer: {
      ...metrics,
      budgetFailed(error) {
        metrics.budgetFailed();
        log.error({ err: error }, 'could not read or write the budget of an API key');
      },
      keepsFailing: (reason) => outage.failed(reason, SERVICE_FAILS_FOR_MS),
      works: outage.worked,
    },
  });
  metrics.keys(gates.states);
  const keys = createEffectiveKeys({ keys: stores.keys, organizations, transact });
  const service = createServiceAccess({
    keys,
    gates,
    openApi: (apiKey, gate) => createDesignApi({ ...designApi, apiKey, gate, now }),
    keyRejectedJob,
    now,
    log,
  });
  const referenceLists = createReferenceLists({
    service,
    now,
    metrics,
    log,
    entries,
    partnerName: designApi.partnerName,
  });
  const reader = recordRefreshes(
    { ...stores, now, log },
    createCardReader({
      service,
      now,
      metrics,
      log,
      timezone: designApi.timezone,
      entries: isShared ? entries : undefined,
      async onRead({ workspaceId, id }, card) {
        // With the ID that was asked for, which is also that of its links.
        await linkReadCard({ requests, transact, now, log }, workspaceId, { ...card, id });
        await referenceLists.rememberPartner(workspaceId, card.productType);
      },
    }),
  );
  const cardLinks = createCardLinks(cardUrlTemplates);
  warnOfHosts(cardLinks, log);
  return { keys, service, referenceLists, cards: { ...reader, ...cardLinks } };
}

function warnOfHosts({ hosts }: CardLinks, log: Log): void {
  const notUnfurled = hosts.filter((host) => !isUnfurled(host));
  if (notUnfurled.length === 0) return;
  log.warn({ hosts: notUnfurled }, 'Slack won’t unfurl links to these hosts of CARD_URL_TEMPLATE');
}
