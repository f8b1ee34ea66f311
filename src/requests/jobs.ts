import { z } from 'zod';
import type { ClaimedJob, NewJob } from '../store/jobs.ts';
import { type DesignRequest, isUnnamed } from './request.ts';

export const REQUEST_JOBS = {
  /** Operators know it by this name, from metrics, alerts, and `jobs --kind`. */
  send: 'deliver-request',
  reconcile: 'reconcile-request',
  announce: 'announce-request',
  tellPlainly: 'tell-request-plainly',
} as const;

type Identified = Pick<DesignRequest, 'workspaceId' | 'id' | 'revision'>;

const requestJobPayload = z.object({
  requestId: z.string(),
  revision: z.number(),
  /** As in `RequestProblem`. */
  searchedMinutes: z.number().optional(),
});

/** What a stored job is about: by its identity if its payload can't be read. */
export function requestJobInput({ payload, identity }: Pick<ClaimedJob, 'payload' | 'identity'>) {
  const { data } = requestJobPayload.safeParse(payload);
  const [, requestId = '', revision = ''] = /^[^/]*\/(.*)\/(\d+)$/s.exec(identity ?? '') ?? [];
  return data ?? { requestId, revision: Number(revision) };
}

function job(
  kind: string,
  { workspaceId, id, revision }: Identified,
  more: { runAt?: Date | undefined; searchedMinutes?: number | undefined } = {},
): NewJob & { identity: string } {
  const { runAt, searchedMinutes } = more;
  return {
    kind,
    workspaceId,
    identity: `${kind}/${id}/${revision}`,
    payload: { requestId: id, revision, searchedMinutes },
    runAt,
    isUrgent: true,
  };
}

/** Sends the request, not before the time that the service asked for. */
export const sendJob = (request: Identified & Pick<DesignRequest, 'problem'>): NewJob => {
  const retryAt = request.problem?.retryAt;
  const runAt = retryAt === undefined ? undefined : new Date(retryAt);
  return job(REQUEST_JOBS.send, request, { runAt });
};

/** For a request that is in doubt or unnamed, before its author is told. */
export const reconcileJob = (request: Identified) => job(REQUEST_JOBS.reconcile, request);

export const announceJob = (request: Identified, searchedMinutes?: number): NewJob =>
  job(REQUEST_JOBS.announce, request, { searchedMinutes });

/** Sends one plain line instead, after announcing was given up. */
export const tellPlainlyJob = (request: Identified): NewJob =>
  job(REQUEST_JOBS.tellPlainly, request);

/** Whether a request's card is searched for before its author is told. */
export const isSearchedFor = (request: Pick<DesignRequest, 'state' | 'cardId'>): boolean =>
  request.state === 'in_doubt' || isUnnamed(request);

export const nextJobOf = (request: Identified & Pick<DesignRequest, 'state' | 'cardId'>): NewJob =>
  isSearchedFor(request) ? reconcileJob(request) : announceJob(request);
