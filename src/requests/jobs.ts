import { z } from 'zod';
import type { NewJob } from '../store/insert-jobs.ts';
import type { DesignRequest } from './request.ts';

/** The kinds of work that a request makes, by the name in the job table. */
export const REQUEST_JOBS = {
  deliver: 'deliver-request',
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

/** Sends the request to the service, not before the moment that it named, or finds out that it was sent. */
export const deliverJob = (request: Identified & Pick<DesignRequest, 'problem'>): NewJob => {
  const retryAt = request.problem?.retryAt;
  return job(REQUEST_JOBS.deliver, request, retryAt === undefined ? undefined : new Date(retryAt));
};

/** Looks at the service for a request that may have arrived, before its author is asked. */
export const reconcileJob = (request: Identified) => job(REQUEST_JOBS.reconcile, request);

/** Tells the author how the request stands; a later change makes a job of its own. */
export const announceJob = (request: Identified): NewJob => job(REQUEST_JOBS.announce, request);

/** Tells the same in one plain line, where that could not be done. */
export const tellPlainlyJob = (request: Identified): NewJob =>
  job(REQUEST_JOBS.tellPlainly, request);

/** What follows from an outcome: one in doubt is looked for, any other is told. */
export const tellJob = (request: Identified & Pick<DesignRequest, 'state'>): NewJob =>
  request.state === 'in_doubt' ? reconcileJob(request) : announceJob(request);
