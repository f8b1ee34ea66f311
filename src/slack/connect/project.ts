import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { checkProject, type ProjectCheck } from '../../service/check-project.ts';
import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { SlackDeps } from '../deps.ts';
import { PROJECT } from '../words/connect.ts';

/** What to do with a project that an admin typed: why it can't be saved, or what to save and say. */
export type TestedProject =
  | { problem: string }
  | { problem?: undefined; projectId: string | undefined; note?: string };

/**
 * Tests the project in which requests in doubt are searched for, with the workspace's key.
 *
 * @param projectId undefined if the field was left empty
 */
export async function testProject(
  { service }: Pick<SlackDeps, 'service'>,
  workspaceId: WorkspaceId,
  projectId: string | undefined,
): Promise<TestedProject> {
  if (projectId === undefined) return { projectId };
  try {
    const check = await service.call(workspaceId, (api) => checkProject(api, projectId));
    return afterCheck(check, projectId);
  } catch (error) {
    // It is tested when a key is connected.
    const isWithoutKey = error instanceof NotConnectedError || error instanceof DesignApiError;
    if (isWithoutKey) return { projectId, note: PROJECT.notChecked };
    throw error;
  }
}

function afterCheck(check: ProjectCheck, projectId: string): TestedProject {
  if (check.usable) return { projectId, ...(check.isEmpty ? { note: PROJECT.empty } : {}) };
  switch (check.why) {
    case 'unknown':
      return { problem: PROJECT.unknown };
    case 'later':
      return { problem: PROJECT.later };
    case 'not_listed':
      return { projectId: undefined, note: PROJECT.notListed };
  }
}
