import { z } from 'zod';
import type { NewJob } from '../store/insert-jobs.ts';
import type { DesignRequest } from './request.ts';

/** The kinds of jobs of requests, as stored in the job table. */
export const REQUEST_JOBS = {
  /** Stored jobs and metrics have had this name since the first version. */
  send: 'deliver-request',
  reconcile: 'reconcile-request',
  announce: 'announce-request',
  tellPlainly: 'tell-request-plainly',
} as const;

type Identified = Pick<DesignRequest, 'workspaceId' | 'id' | 'revision'>;

export const requestJobPayload = z.object({ requestId: z.string(), revision: z.number() });

function job(kind: string, request: Identified, runAt?: Date): NewJob & { identity: string } {
  const { workspaceId, id, revision } = request;
  return {
    kind,
    workspaceId,
    identity: `${kind}/${id}/${revision}`,
    payload: { requestId: id, revision },
    runAt,
    isUrgent: true,
  };
}

/** Sends the request, not before the time that the service asked for. */
export const sendJob = (request: Identified & Pick<DesignRequest, 'problem'>): NewJob => {
  const retryAt = request.problem?.retryAt;
  return job(REQUEST_JOBS.send, request, retryAt === undefined ? undefined : new Date(retryAt));
};

/** Searches the service for a request in doubt, before its author is asked. */
export const reconcileJob = (request: Identified) => job(REQUEST_JOBS.reconcile, request);

/** Announces this change of the request; a later change adds its own job. */
export const announceJob = (request: Identified): NewJob => job(REQUEST_JOBS.announce, request);

/** Sends one plain line instead, after announcing has failed for good. */
export const tellPlainlyJob = (request: Identified): NewJob =>
  job(REQUEST_JOBS.tellPlainly, request);

/** What follows from a state: a request in doubt is searched for first, any other is announced. */
export const nextJobOf = (request: Identified & Pick<DesignRequest, 'state'>): NewJob =>
  request.state === 'in_doubt' ? reconcileJob(request) : announceJob(request);
