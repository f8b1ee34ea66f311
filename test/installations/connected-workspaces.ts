import { inject, onTestFinished } from 'vitest';
import type { WorkspaceId } from '../../src/installations/workspace-id.ts';
import { createLog } from '../../src/ops/logging.ts';
import type { CallObserver } from '../../src/service/budget/call-class.ts';
import { createGates } from '../../src/service/budget/gate.ts';
import { createCardReader } from '../../src/service/cache/card-reader.ts';
import { createReferenceLists } from '../../src/service/cache/reference-lists.ts';
import { createDesignApi } from '../../src/service/client.ts';
import { createEffectiveKeys, createServiceAccess } from '../../src/service/service-access.ts';
import { SLACK_JOBS } from '../../src/slack/interaction/jobs.ts';
import { keyRejectedJob } from '../../src/slack/settings/tell-admins.ts';
import { claimingAndDying, openPostgresStores } from '../postgres/postgres-stores.ts';
import { startDesignService } from '../stand-ins/design-service/server.ts';
import { openSqliteStores } from '../store/sqlite-files.ts';
import { at } from '../store/stores-under-test.ts';
import { T1 } from './ids.ts';

export type ConnectedWorkspaces = Awaited<ReturnType<typeof connectedWorkspaces>>;

const UNOBSERVED: CallObserver = {
  call() {},
  took() {},
  budgetFailed() {},
  keepsFailing() {},
  works() {},
};

/**
 * The stand-in design service, and workspaces that call it with their own keys. T1 is connected.
 *
 * @param options.beforeMarking runs before the database marks a key as rejected
 * @param options.requestsPerMinute of the app's clock
 */
export async function connectedWorkspaces(
  options: { beforeMarking?: () => Promise<void>; requestsPerMinute?: number } = {},
) {
  /** The app's clock; it stands still unless moved. */
  const clock = { now: at(0) };
  const { requestsPerMinute } = options;
  const design = await startDesignService(
    requestsPerMinute
      ? { requestsPerMinute, clock: () => clock.now }
      : { requestsPerMinute: 1_000 },
  );
  onTestFinished(() => design.close());
  const isShared = inject('postgresServer') !== undefined;
  const opened = await (isShared ? openPostgresStores() : openSqliteStores());
  const { db, openAgain } = opened;
  const stores = isShared ? claimingAndDying(opened.stores) : opened.stores;
  /** The database file; empty on Postgres. */
  const path = 'path' in opened ? opened.path : '';
  const now = () => clock.now;
  const keys = createEffectiveKeys(stores);
  /** The service as another process sees it. */
  const openService = () =>
    createServiceAccess({
      keys: {
        ...keys,
        async markRejected(...marked) {
          await options.beforeMarking?.();
          return keys.markRejected(...marked);
        },
      },
      now,
      log: createLog({ level: 'silent' }),
      keyRejectedJob,
      gates: createGates({ store: stores.budgets, now, observer: UNOBSERVED }),
      openApi: (apiKey, gate) =>
        createDesignApi({
          baseUrl: design.url,
          apiKey,
          gate,
          timezone: 'UTC',
          now,
          timeouts: { retryBase: 1 },
        }),
    });
  const service = openService();
  /** How each cache has answered so far, oldest first, such as `cards hit`. */
  const cacheAnswers: string[] = [];
  const metrics = {
    cache: (name: string, answer: string) => void cacheAnswers.push(`${name} ${answer}`),
  };
  const log = createLog({ level: 'silent' });
  const referenceLists = createReferenceLists({
    service,
    now,
    metrics,
    entries: stores.entries,
    log,
  });
  const cards = createCardReader({ service, timezone: 'UTC', now, metrics, log });
  /** Connects a key of the stand-in service, by default a new one. @returns the key */
  const connect = async (workspaceId: WorkspaceId, key = design.issueKey()) => {
    await stores.keys.save(workspaceId, key, 'U1', now());
    service.forget(workspaceId);
    return key;
  };
  await connect(T1, design.apiKey);
  return {
    referenceLists,
    cards,
    cacheAnswers,
    openAgain,
    design,
    stores,
    db,
    path,
    service,
    openService,
    clock,
    connect,
    /** The workspaces that were told that their key was rejected, once for each time. */
    async rejectionsToTell() {
      const jobs = db
        .selectFrom('jobs')
        .select('workspaceId')
        .where('kind', '=', SLACK_JOBS.keyRejected);
      return (await jobs.execute()).map(({ workspaceId }) => workspaceId);
    },
    /** How many calls arrived with a key. */
    callsWith: (key: string) =>
      design.calls().filter(({ keyEnding }) => key.endsWith(keyEnding ?? '?')).length,
  };
}
