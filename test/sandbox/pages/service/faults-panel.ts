import type { Fault } from '../../../stand-ins/design-service/faults.ts';
import type { DesignService } from '../../../stand-ins/design-service/server.ts';

/** Long enough to notice, and shorter than the app's timeouts, in ms. */
const SLOW_MS = 4_000;
const RETRY_AFTER_S = 5;

/** “Once” means the next new card: any other call may be a read in the background. */
const NEXT_NEW_CARD = { operation: 'createCard', times: 1 } as const;

export const FAULTS = {
  slow: { kind: 'stall', ms: SLOW_MS },
  'rate-limited': { kind: 'rate-limited', retryAfter: RETRY_AFTER_S },
  'server-error': { kind: 'status', status: 503 },
  'dropped-after-executing': { kind: 'drop-after-executing', operation: 'createCard' },
  garbage: { kind: 'html' },
  down: { kind: 'reset-before-executing' },
  'refuses-fields': {
    kind: 'status',
    status: 400,
    operation: 'createCard',
    details: { title: 'This title is taken. Choose another one.', dimension: 'Name the unit.' },
  },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;

export type FaultsPanel = ReturnType<typeof createFaultsPanel>;

export function createFaultsPanel({ faults }: Pick<DesignService, 'faults'>) {
  let entries: { id: number; name: FaultName; once: boolean; fault: Fault; remove: () => void }[] =
    [];
  let nextId = 1;
  return {
    /** `once`: only for the next new card. */
    add(name: FaultName, once: boolean) {
      const fault = { ...FAULTS[name], ...(once ? NEXT_NEW_CARD : {}) };
      entries.push({ id: nextId, name, once, fault, remove: faults.add(fault) });
      nextId += 1;
    },
    remove(id: number) {
      entries.find((entry) => entry.id === id)?.remove();
      entries = entries.filter((entry) => entry.id !== id);
    },
    list: () =>
      entries.map(({ id, name, once, fault }) => ({
        ...{ id, name, once },
        struck: faults.list().find((one) => one.fault === fault)?.struck ?? 0,
      })),
  };
}
