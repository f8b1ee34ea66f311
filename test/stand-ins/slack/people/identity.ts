import type { JsonObject } from '../json.ts';
import type { User } from '../state/model.ts';
import type { SlackState, WorkspaceRecord } from '../state/state.ts';

/** The first fields of every interaction's payload. Shape: Bolt's action and view types. */
export function interactionHead(
  state: SlackState,
  workspace: WorkspaceRecord,
  user: User,
): JsonObject {
  const { enterpriseId, orgWideInstall } = workspace;
  const enterprise = enterpriseId
    ? { id: enterpriseId, name: `${enterpriseId} organization` }
    : null;
  return {
    team: orgWideInstall
      ? null
      : {
          id: workspace.id,
          domain: workspace.domain,
          ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
        },
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: state.app.id,
    token: state.app.verificationToken,
    enterprise,
    is_enterprise_install: orgWideInstall,
  };
}
