import type { Fault } from '../../../stand-ins/design-service/faults.ts';
import type { DesignService } from '../../../stand-ins/design-service/server.ts';

/** “Once” means the next new card: any other call may be a read in the background. */
const NEXT_NEW_CARD = { operation: 'createCard', times: 1 } as const;

/** In the order in which the page offers them. Four seconds are shorter than the app's timeouts. */
export const FAULTS: { name: string; means: string; fault: Fault }[] = [
  { name: 'Slow', means: 'Answers 4 s late', fault: { kind: 'stall', ms: 4_000 } },
  {
    name: '429',
    means: 'Too many requests, retry in 5 s',
    fault: { kind: 'rate-limited', retryAfter: 5 },
  },
  {
    name: '503',
    means: 'Server error, nothing is executed',
    fault: { kind: 'status', status: 503 },
  },
  {
    name: 'Dropped',
    means: 'Creates the card, then drops the connection',
    fault: { kind: 'drop-after-executing', operation: 'createCard' },
  },
  { name: 'Garbage', means: 'An HTML page with status 200', fault: { kind: 'html' } },
  { name: 'Down', means: 'Cuts every connection', fault: { kind: 'reset-before-executing' } },
  {
    name: '400',
    means: 'Rejects title and dimensions of a new card',
    fault: {
      kind: 'status',
      status: 400,
      operation: 'createCard',
      details: { title: 'This title is taken. Choose another one.', dimension: 'Name the unit.' },
    },
  },
];

export type FaultsPanel = ReturnType<typeof createFaultsPanel>;

export function createFaultsPanel({ faults }: Pick<DesignService, 'faults'>) {
  let entries: { id: number; name: string; once: boolean; fault: Fault; remove: () => void }[] = [];
  let nextId = 1;
  return {
    /** `once`: only for the next new card. */
    add(name: string, once: boolean) {
      const chosen = FAULTS.find((one) => one.name === name)?.fault;
      if (!chosen) throw new Error(`There is no fault ${name}.`);
      const fault = { ...chosen, ...(once ? NEXT_NEW_CARD : {}) };
      entries.push({ id: nextId, name, once, fault, remove: faults.add(fault) });
      nextId += 1;
    },
    remove(id: number) {
      entries.find((entry) => entry.id === id)?.remove();
      entries = entries.filter((entry) => entry.id !== id);
    },
    list: () =>
      entries.map(({ id, name, once, fault }) => ({
        id,
        name,
        once,
        struck: faults.list().find((one) => one.fault === fault)?.struck ?? 0,
      })),
  };
}
