import { AsyncLocalStorage } from 'node:async_hooks';

const claim = new AsyncLocalStorage<() => boolean>();

/** Runs a job. @param isHeld whether no other process can have taken the job since it was claimed */
export const runClaimed = <Result>(isHeld: () => boolean, run: () => Result): Result =>
  claim.run(isHeld, run);

/**
 * Ask this right before the first byte of a call that may be made only once. False if another process may have taken
 * the calling job while this process was frozen; always true outside of a job.
 */
export const claimHeld = (): (() => boolean) => claim.getStore() ?? (() => true);
