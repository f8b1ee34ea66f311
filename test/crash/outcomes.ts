import type { Fault } from '../stand-ins/design-service/faults.ts';

/** Outcomes of `POST /card`. */
export const OUTCOMES = [
  'done',
  'done, answer lost',
  'failed, unknown',
  'not sent',
  'rejected',
  '429',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const FIRST_CREATION = { operation: 'createCard', times: 1 } as const;

/** The fault of the stand-in that causes it; undefined if the stand-in needs none. */
export function faultFor(outcome: Outcome): Fault | undefined {
  switch (outcome) {
    case 'done':
    case 'not sent':
      return undefined;
    case 'done, answer lost':
      return { ...FIRST_CREATION, kind: 'drop-after-executing' };
    case 'failed, unknown':
      return { ...FIRST_CREATION, kind: 'status', status: 500 };
    case 'rejected':
      return {
        ...FIRST_CREATION,
        ...{ kind: 'status', status: 400, details: { title: 'is not what we expect' } },
      };
    case '429':
      return { ...FIRST_CREATION, kind: 'rate-limited', retryAfter: 30 };
  }
}
