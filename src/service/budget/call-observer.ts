import type { CallClass, CallOutcome } from './call-class.ts';

/** Receives what happens to calls, for the metrics. */
export type CallObserver = {
  call(callClass: CallClass, outcome: CallOutcome): void;
  /** The duration of a call. @param outcome `answered`, or the kind of failure */
  took(operation: string, outcome: string, seconds: number): void;
  /** The budget could not be read or written. */
  budgetTrouble(error: unknown): void;
};
