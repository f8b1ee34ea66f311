/**
 * The state of the protocol that sends requests: what is on disk, what each worker has in memory, and what the
 * service has done. A state is never changed in place.
 *
 * Assumed: the service acts on a call when it is sent. Bytes on their way when their process dies can't be
 * recalled (docs/reliability.md, “Remaining risks”).
 * Left out: the budget of a key (test/service/budget/histories.test.ts), waiting for another key, giving up after many
 * crashes, and how a message reaches its author.
 */
export type State = {
  readonly requests: readonly Request[];
  /** For each replica, its lease. */
  readonly leases: readonly Lease[];
  /** Whether a replica has crashed and the others have not noticed yet. */
  readonly hasUnnoticedDeath: boolean;
  readonly workers: readonly Worker[];
  /** How often a replica has crashed, or was frozen for longer than its lease. */
  readonly interruptions: number;
};

export type Request = {
  readonly status: Status;
  /** The claim under which it was sent last. */
  readonly sentBy: Claim;
  readonly jobs: readonly Job[];
  /** Whether its current revision has or had a job; otherwise a start adds one. */
  readonly hasOwnJob: boolean;
  readonly notice: Notice;
  /** Whether it is known which card it became. */
  readonly isLinked: boolean;
  /** Cards that the service has created for it. */
  readonly cards: number;
};

export type Status =
  | 'new'
  | 'queued'
  | 'sending'
  | 'in_doubt'
  | 'created'
  | 'rejected'
  | 'discarded';

/** What its author is waiting for: nothing, a search (waiting or claimed), a job that tells, or nothing more. */
type Notice = 'none' | 'search' | 'searching' | 'tell' | 'told';

export type Job = {
  /** Index of the replica that has claimed it, or one of the two below. */
  readonly holder: number;
  readonly claim: Claim;
};
/** The job waits to be claimed. */
export const NOBODY = -1;
/** The job is claimed by a process that has crashed. */
export const DEAD = -2;

/** Names one claim of one job. */
export type Claim = number;
export const NO_CLAIM: Claim = 0;
export const FREE_JOB: Job = { holder: NOBODY, claim: NO_CLAIM };

/** While it is `held`, the replica counts as alive. Once `expired`, it is `noticed` by another replica. */
type Lease = 'held' | 'expired' | 'noticed';

/** One running job of a replica. It is lost when the replica crashes. */
export type Worker = {
  readonly replica: number;
  readonly step: WorkerStep;
  readonly request: number;
  /** The claim of the job that sends. */
  readonly claim: Claim;
  /** Whether the replica's lease has held without a gap since the worker claimed the job. */
  readonly leaseHeld: boolean;
  readonly outcome: Outcome;
};

type WorkerStep =
  | 'idle'
  | 'claimed'
  /** It has found that the request can be sent. */
  | 'checked'
  /** “sending” is on disk. */
  | 'sending'
  /** It knows the outcome of the call. */
  | 'answered'
  /** The outcome is on disk, the end of the job is not. */
  | 'recorded'
  /** It is about to list the cards among which it searches. */
  | 'searching';

/** What a worker knows of the `POST /card` that it sent, or that it searches for. */
export type Outcome = 'none' | 'created' | 'unnamed' | 'rejected' | 'not_sent' | 'unknown';

/** How much is explored. */
export type Scope = {
  readonly requests: number;
  /** For each worker, its replica: `[0, 1]` is two replicas on Postgres, `[0, 0]` one process on SQLite. */
  readonly workers: readonly number[];
  /** Whether missing jobs are added at a start or a death. Without that, no job may ever be lost. */
  readonly resumes: boolean;
  /** Most crashes and freezes in one history, together. */
  readonly interruptions: number;
};

const NEW_REQUEST: Request = {
  status: 'new',
  sentBy: NO_CLAIM,
  jobs: [],
  hasOwnJob: false,
  notice: 'none',
  isLinked: false,
  cards: 0,
};

export const idleWorker = (replica: number): Worker => ({
  replica,
  step: 'idle',
  request: 0,
  claim: NO_CLAIM,
  leaseHeld: false,
  outcome: 'none',
});

export const initialState = ({ requests, workers }: Scope): State => ({
  requests: Array.from({ length: requests }, () => NEW_REQUEST),
  leases: Array.from({ length: Math.max(...workers) + 1 }, () => 'held'),
  hasUnnoticedDeath: false,
  workers: workers.map(idleWorker),
  interruptions: 0,
});
