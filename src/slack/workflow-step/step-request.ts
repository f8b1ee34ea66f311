import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { DesignRequest } from '../../requests/request.ts';

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
