import type { Log } from '../ops/logging.ts';
import type { ReplicaStore } from '../store/replicas.ts';

export type Lease = ReturnType<typeof createLease>;

/** By the process's own monotonic clock, and since 1970; in ms. */
type Moment = { running: number; wall: number };

/** A lease outlasts a short pause: once it expires, work may be done twice, or people asked needlessly. */
const TIMING = { leaseMs: 10_000, renewMs: 2_000 };
export type LeaseTiming = typeof TIMING;

/**
 * Shows the other replicas that this process is alive, so that it keeps the jobs that it has
 * claimed, and looks for replicas whose lease has expired.
 *
 * A paused process needs two clocks to tell whether its own lease has expired: the monotonic one stops while the
 * machine is suspended (`CLOCK_MONOTONIC`), and the system clock may be set back.
 *
 * @param deps.onExpired called in one of the other replicas when leases have expired
 */
export function createLease(deps: {
  replicas: ReplicaStore;
  onExpired: () => Promise<void>;
  now: () => Date;
  log: Log;
  /** For tests. */
  timing?: LeaseTiming;
}) {
  const { replicas, onExpired, now, log } = deps;
  const { leaseMs, renewMs } = deps.timing ?? TIMING;
  let renewedAt: Moment = { running: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
  /** How many times the lease has expired: each time, others may have reclaimed its jobs. */
  let gaps = 0;
  /** Since when every renewal has succeeded. While the database is unavailable, every replica looks dead. */
  let heldSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let renewing: Promise<void> = Promise.resolve();
  let ended = false;

  const moment = (): Moment => ({ running: performance.now(), wall: now().getTime() });

  function isValid(): boolean {
    const { running, wall } = moment();
    return running - renewedAt.running < leaseMs && wall - renewedAt.wall < leaseMs;
  }

  async function renew(): Promise<void> {
    // From before the statement, so that the lease never seems longer here than in the database.
    const startedAt = moment();
    try {
      await replicas.renew(leaseMs);
    } catch (error) {
      heldSince = undefined;
      throw error;
    }
    // The previous lease may have expired before this renewal took effect.
    if (!isValid()) {
      gaps += 1;
      heldSince = undefined;
    }
    renewedAt = startedAt;
    heldSince ??= startedAt.running;
  }

  async function reclaimFromExpiredReplicas(reclaim: () => Promise<void>): Promise<void> {
    if (heldSince === undefined || performance.now() - heldSince < leaseMs) return;
    const expired = await replicas.deleteExpired();
    // This replica may have been frozen meanwhile.
    if (isValid()) await reclaim();
    if (expired === 0) return;
    log.warn({ replicas: expired }, 'replicas have died');
    await onExpired();
  }

  async function renewAndReclaim(reclaim: () => Promise<void>): Promise<void> {
    try {
      await renew();
      await reclaimFromExpiredReplicas(reclaim);
    } catch (error) {
      log.warn({ err: error }, 'could not renew the lease of this replica');
    }
    if (!ended) scheduleRenewal(reclaim);
  }

  function scheduleRenewal(reclaim: () => Promise<void>): void {
    timer = setTimeout(() => {
      renewing = renewAndReclaim(reclaim);
    }, renewMs);
  }

  return {
    /** Tries until it has the lease, and renews it. @param reclaim called after `leaseMs` */
    start: renewAndReclaim,
    /** @returns whether the lease was held without a gap since; once false, it stays false */
    heldFromNow(): () => boolean {
      const gapsBefore = isValid() ? gaps : undefined;
      return () => gaps === gapsBefore && isValid();
    },
    /** Call this when no job is running any more. */
    async end(): Promise<void> {
      ended = true;
      clearTimeout(timer);
      await renewing;
      clearTimeout(timer);
      await replicas.leave().catch((error: unknown) => {
        log.warn({ err: error }, 'could not give up the lease; it will expire');
      });
    },
  };
}
