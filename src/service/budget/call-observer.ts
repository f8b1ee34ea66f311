import type { CallClass, CallOutcome } from './call-class.ts';

/** Who wants to know what becomes of calls. */
export type CallObserver = {
  call(callClass: CallClass, outcome: CallOutcome): void;
  /** How long a call took. @param outcome `answered`, or the fault that ended it */
  took(operation: string, outcome: string, seconds: number): void;
  /** The budget could not be read or written. */
  budgetTrouble(error: unknown): void;
};
