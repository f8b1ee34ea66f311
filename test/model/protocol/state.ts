/**
 * The state of the delivery protocol: what is on disk, what each worker has in memory, and what the
 * service has done. A state is never changed in place.
 *
 * Assumed: the service acts on a call at the moment in which it is sent. Bytes that are still on their way
 * when their process dies are out of reach (docs/replicas.md, “What is left”).
 * Left out: waiting for another key, giving up after many crashes, and how a message reaches its author.
 */
export type State = {
  readonly requests: readonly Request[];
  /** For each replica, its lease. */
  readonly leases: readonly Lease[];
  /** Whether a replica has crashed and nobody has noticed yet. */
  readonly hasUnnoticedDeath: boolean;
  readonly workers: readonly Worker[];
  /** Calls that count against the key's budget: granted in this minute, or used up by a 429. */
  readonly granted: number;
  /** Calls that reached the service in this minute. */
  readonly received: number;
  /** How often a replica has crashed, or stood still for longer than its lease. */
  readonly interruptions: number;
};

export type Request = {
  readonly status: Status;
  /** The claim under which it was sent last. */
  readonly sentBy: Claim;
  /** Unfinished jobs that deliver it. */
  readonly jobs: readonly Job[];
  /** Whether a job was made for it as it is now; a start makes one otherwise. */
  readonly hasOwnJob: boolean;
  readonly notice: Notice;
  /** Cards that the service has made for it. */
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

/**
 * What follows for the author: nothing, a job that looks for the card (claimed or not), a job that tells,
 * or nothing more.
 */
type Notice = 'none' | 'look' | 'looking' | 'tell' | 'told';

export type Job = {
  /** Index of the replica that has claimed it, or one of the two below. */
  readonly holder: number;
  readonly claim: Claim;
};
/** The job waits to be claimed. */
export const NOBODY = -1;
/** The job was claimed by a process that has crashed since. */
export const DEAD = -2;

/** Names one claim of one job. */
export type Claim = number;
export const NO_CLAIM: Claim = 0;
export const FREE_JOB: Job = { holder: NOBODY, claim: NO_CLAIM };

/** While it is `held`, the others take the replica for alive. One of them notices that it has `expired`. */
type Lease = 'held' | 'expired' | 'noticed';

/** One job under way in a replica. It is gone when the replica crashes. */
export type Worker = {
  readonly replica: number;
  readonly step: WorkerStep;
  /** Index of the request. */
  readonly request: number;
  /** The claim of the job that delivers. */
  readonly claim: Claim;
  /** Whether the replica's lease has held without a gap since the worker checked the request. */
  readonly leaseHeld: boolean;
  /** Whether the grant of its call still counts against the budget. */
  readonly grantCounts: boolean;
  readonly outcome: Outcome;
  /** What it has read of the budget. Only kept where a grant is not compared with it. */
  readonly budgetSeen: number;
};

type WorkerStep =
  | 'idle'
  /** It has a job. */
  | 'claimed'
  /** It has found that the request can be sent. */
  | 'checked'
  /** “sending” is on disk. */
  | 'sending'
  /** It has a grant for `POST /card`. */
  | 'granted'
  /** It knows what came of the call. */
  | 'answered'
  /** That is on disk, the end of the job is not. */
  | 'recorded'
  /** It has a grant for the listing in which it looks for a card. */
  | 'looking';

/** What a worker knows of its `POST /card`. */
export type Outcome = 'none' | 'created' | 'rejected' | 'not_sent' | 'unknown';

/** How much is explored. */
export type Scope = {
  readonly requests: number;
  /** For each worker, its replica: `[0, 1]` is two replicas on Postgres, `[0, 0]` one process on SQLite. */
  readonly workers: readonly number[];
  /** Whether a start, or a death, makes jobs that seem to be missing. Without that, every job must be kept. */
  readonly resumes: boolean;
  /** Most crashes and freezes in one history, together. */
  readonly interruptions: number;
  /** Calls that the service takes in a minute. */
  readonly budget: number;
};

const NEW_REQUEST: Request = {
  status: 'new',
  sentBy: NO_CLAIM,
  jobs: [],
  hasOwnJob: false,
  notice: 'none',
  cards: 0,
};

export const idleWorker = (replica: number): Worker => ({
  replica,
  step: 'idle',
  request: 0,
  claim: NO_CLAIM,
  leaseHeld: false,
  grantCounts: false,
  outcome: 'none',
  budgetSeen: 0,
});

export const initialState = ({ requests, workers }: Scope): State => ({
  requests: Array.from({ length: requests }, () => NEW_REQUEST),
  leases: Array.from({ length: Math.max(...workers) + 1 }, () => 'held'),
  hasUnnoticedDeath: false,
  workers: workers.map(idleWorker),
  granted: 0,
  received: 0,
  interruptions: 0,
});
