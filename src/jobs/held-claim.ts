import { AsyncLocalStorage } from 'node:async_hooks';

const claim = new AsyncLocalStorage<() => boolean>();

/** Runs a job. @param isHeld whether no other process can have taken the job since it was claimed */
export const runClaimed = <Result>(isHeld: () => boolean, run: () => Result): Result =>
  claim.run(isHeld, run);

/** False if the calling code belongs to a job that another process may have taken while this one was frozen. */
export const isClaimHeld = (): boolean => claim.getStore()?.() ?? true;
