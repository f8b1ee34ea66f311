import { AsyncLocalStorage } from 'node:async_hooks';

const claim = new AsyncLocalStorage<() => boolean>();

/** Runs a job. @param isHeld whether no other process can have taken the job since it was claimed */
export const runClaimed = <Result>(isHeld: () => boolean, run: () => Result): Result =>
  claim.run(isHeld, run);

/**
 * To be asked right before the first byte of a call that may be made only once: false if another process may have taken
 * the job that calls while this one was frozen. Outside of a job, it is true.
 */
export const claimHeld = (): (() => boolean) => claim.getStore() ?? (() => true);
