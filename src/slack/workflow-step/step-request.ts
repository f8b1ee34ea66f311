import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { NewJob } from '../../store/jobs.ts';
import { SLACK_JOBS } from '../jobs.ts';

const PREFIX = 'step';

/**
 * The ID of the request that a run of the step creates. It follows from the run, so however often
 * Slack delivers a run, there is one request.
 */
export const requestIdOf = (workspaceId: WorkspaceId, executionId: string): string =>
  [PREFIX, workspaceId, executionId].join('/');

/** The run of the step that a request comes from; undefined for requests from the form. */
export function executionOf({ id }: Pick<DesignRequest, 'id'>): string | undefined {
  const [prefix, , executionId] = id.split('/');
  return prefix === PREFIX ? executionId : undefined;
}

/** For how long a workflow waits until somebody decides about its request, in ms. */
const WAIT_MAX_MS = 7 * 24 * 60 * 60_000;

export const stepLimitJob = ({ id, workspaceId, createdAt }: DesignRequest): NewJob => ({
  kind: SLACK_JOBS.stepLimit,
  workspaceId,
  identity: `${SLACK_JOBS.stepLimit}/${id}`,
  payload: { requestId: id },
  runAt: new Date(createdAt.getTime() + WAIT_MAX_MS),
});
