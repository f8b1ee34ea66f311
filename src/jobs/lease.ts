import type { Log } from '../ops/logging.ts';
import type { ReplicaStore } from '../store/replicas.ts';

/** A process's word to the others that it lives, by which it keeps the jobs that it has claimed. */
export type Lease = {
  /**
   * Says it for the first time, and goes on saying it.
   *
   * @param takeBack called again and again while the others are heard: gives back what the dead had claimed
   */
  start(takeBack: () => Promise<void>): Promise<void>;
  /** Whether the others still take this process for alive: only then may it begin anything. */
  isValid(): boolean;
  /**
   * To be asked before something is begun that nobody else may begin.
   *
   * @returns tells at any later moment, without waiting, whether the others have taken this process for
   *   alive all the while; once it says no, it goes on saying no
   */
  heldFromNow(): () => boolean;
  /** To be called when no job is under way any more. */
  end(): Promise<void>;
};

export type LeaseTiming = {
  /** How long a process that says nothing is taken for alive. */
  leaseMs: number;
  /** How often it says so. */
  beatMs: number;
};

/** In ms: by the process's own clock, and since 1970. */
type Moment = { running: number; wall: number };

/**
 * What a killed process left is taken up after at most about twice the lease. Shorter would take a
 * process for dead that only stands still: its work would be done twice, where it bears that, or its
 * author be asked.
 */
const TIMING: LeaseTiming = { leaseMs: 10_000, beatMs: 2_000 };

/**
 * Keeps this process among the living of a shared database, and looks after what the dead have left.
 *
 * A process that stands still notices by two clocks that its lease is over: the one that only ever goes
 * forward stops while the machine is suspended (`CLOCK_MONOTONIC`), and the other may be set back.
 *
 * @param deps.onDeath called in one of the living when replicas have died
 * @param deps.timing of tests
 */
export function createLease(deps: {
  replicas: ReplicaStore;
  onDeath: () => Promise<void>;
  now: () => Date;
  log: Log;
  timing?: LeaseTiming;
}): Lease {
  const { replicas, onDeath, now, log } = deps;
  const { leaseMs, beatMs } = deps.timing ?? TIMING;
  let heardAt: Moment = { running: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
  /** Grows whenever the lease was over: others may have taken back what this process had claimed. */
  let gaps = 0;
  /** Since when every beat was heard: while the database is away, the living look dead. */
  let heardSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  let ended = false;

  const moment = (): Moment => ({ running: performance.now(), wall: now().getTime() });

  function isValid(): boolean {
    const { running, wall } = moment();
    return running - heardAt.running < leaseMs && wall - heardAt.wall < leaseMs;
  }

  async function beat(): Promise<void> {
    // Counted from before it is said: by then it holds at the database too.
    const said = moment();
    try {
      await replicas.beat(leaseMs);
    } catch (error) {
      heardSince = undefined;
      throw error;
    }
    // Judged when it was answered: it may have been heard that late.
    if (!isValid()) {
      gaps += 1;
      heardSince = undefined;
    }
    heardAt = said;
    heardSince ??= said.running;
  }

  async function reclaimFromExpiredReplicas(takeBack: () => Promise<void>): Promise<void> {
    if (heardSince === undefined || performance.now() - heardSince < leaseMs) return;
    const died = await replicas.deleteExpired(leaseMs);
    await takeBack();
    if (died === 0) return;
    log.warn({ replicas: died }, 'replicas have died');
    await onDeath();
  }

  async function beatAndLook(takeBack: () => Promise<void>): Promise<void> {
    try {
      await beat();
      await reclaimFromExpiredReplicas(takeBack);
    } catch (error) {
      log.warn({ err: error }, 'the database did not hear that this replica lives');
    }
    if (!ended) lookAgain(takeBack);
  }

  function lookAgain(takeBack: () => Promise<void>): void {
    timer = setTimeout(() => {
      beating = beatAndLook(takeBack);
    }, beatMs);
  }

  return {
    async start(takeBack) {
      await beat();
      lookAgain(takeBack);
    },
    isValid,
    heldFromNow() {
      const gapsBefore = isValid() ? gaps : undefined;
      return () => gaps === gapsBefore && isValid();
    },
    async end() {
      ended = true;
      clearTimeout(timer);
      await beating;
      clearTimeout(timer);
      await replicas.leave().catch((error: unknown) => {
        log.warn({ err: error }, 'the others hear only later that this replica has ended');
      });
    },
  };
}
