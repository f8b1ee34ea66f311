import { setImmediate, setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { CallClass, CallOutcome } from '../../../src/service/budget/call-class.ts';
import type { Gate } from '../../../src/service/budget/gate.ts';
import { createGates, type Gates } from '../../../src/service/budget/gate.ts';
import type { BudgetStore } from '../../../src/service/budget/shared-budget.ts';
import { createDesignApi, type DesignApi } from '../../../src/service/client.ts';
import { DesignApiError } from '../../../src/service/errors.ts';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import { createBudgetStore } from '../../../src/store/budgets.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { startDesignService } from '../../stand-ins/design-service/server.ts';
import { makeMigratedFile } from '../../store/migrated-file.ts';
import { temporaryFolder } from '../../store/sqlite-files.ts';

/** The result of a call: answered, or the code of its refusal and the time to retry. */
export type CallResult = { code: string; retryAt?: number | undefined };

/** One process before the service, with its own connection to the shared database. */
export type Replica = {
  gates: Gates;
  /** A client for one call class, by default with the stand-in's first key. */
  api(callClass: CallClass, key?: string): DesignApi;
  /** Makes one read, by default of a card. */
  call(
    callClass: CallClass,
    options?: { key?: string; use?: (api: DesignApi) => Promise<unknown> },
  ): Promise<CallResult>;
  seen: { callClass: CallClass; outcome: CallOutcome }[];
  /** Ends the process, losing its memory. */
  end(): Promise<void>;
};

export type BudgetedService = Awaited<ReturnType<typeof budgetedService>>;

export const START = Date.parse('2026-05-04T09:00:00Z');
/** While a call waits, a gate checks the clock at least this often. */
const LOOKED_WITHIN_MS = 130;

/** The stand-in service on a manual clock, and a database for the budgets of its keys. */
export async function budgetedService(
  options: { requestsPerMinute?: number; window?: 'fixed' | 'sliding' } = {},
) {
  /** The clock of the service and of all replicas. */
  const clock = { now: START };
  const now = () => new Date(clock.now);
  const design = await startDesignService({
    clock: now,
    ...(options.requestsPerMinute ? { requestsPerMinute: options.requestsPerMinute } : {}),
  });
  design.answers.window = options.window ?? 'sliding';
  const folder = await temporaryFolder();
  const path = `${folder}/budgets.db`;
  await makeMigratedFile(path);
  const replicas = new Set<Replica>();
  let sent = 0;
  onTestFinished(async () => {
    await design.close();
    await Promise.all([...replicas].map((replica) => replica.end()));
  });

  async function startReplica(store = (kept: BudgetStore) => kept): Promise<Replica> {
    const own = openDatabase({ path });
    const seen: Replica['seen'] = [];
    const gates = createGates({
      store: store(createBudgetStore(own)),
      now,
      observer: {
        call: (callClass, outcome) => void seen.push({ callClass, outcome }),
        took: () => undefined,
        budgetFailed: () => undefined,
        keepsFailing: () => undefined,
        works: () => undefined,
      },
    });
    const api = (callClass: CallClass, key = design.apiKey) => {
      const { pass } = gates.of(fingerprintOf(key));
      const counted: Gate = (call, make) =>
        pass({ ...call, callClass }, () => {
          sent += 1;
          return make();
        });
      return createDesignApi({
        ...{ baseUrl: design.url, apiKey: key, timezone: 'UTC', now, gate: counted },
        timeouts: { retryBase: 1 },
      });
    };
    const replica: Replica = {
      ...{ gates, seen, api },
      call: async (
        callClass,
        { key, use = (one: DesignApi): Promise<unknown> => one.getCard('card-1001') } = {},
      ) =>
        use(api(callClass, key)).then(
          () => ({ code: 'answered' }),
          (error: unknown) => {
            if (!(error instanceof DesignApiError)) throw error;
            return { code: error.code, retryAt: error.retryAt?.getTime() };
          },
        ),
      async end() {
        replicas.delete(replica);
        await own.destroy();
      },
    };
    replicas.add(replica);
    return replica;
  }

  async function arrived(): Promise<void> {
    while (design.ledger.length < sent) await setImmediate();
  }

  return {
    ...{ design, clock, startReplica },
    /** Moves the clock once everything that was sent has arrived; grants may still be in progress. */
    async advance(ms: number) {
      await setTimeout(1);
      await arrived();
      clock.now += ms;
    },
    /** Runs everything that doesn't wait for the clock. */
    async settle() {
      await setTimeout(LOOKED_WITHIN_MS);
      await arrived();
    },
  };
}
