import { covers } from '../state/tokens.ts';
import type { BotCall, Method } from './method.ts';

/** The workspaces in which the token works, in one page. */
function listTeams({ state, token }: BotCall) {
  const teams = [...state.workspaces.values()].filter(
    (workspace) => workspace.installed && covers(token, workspace),
  );
  return {
    teams: teams.map(({ id, name }) => ({ id, name })),
    response_metadata: { next_cursor: '' },
  };
}

/** Whose token it is. */
export const authMethods: Record<string, Method> = {
  'auth.test': {
    by: 'bot',
    scopes: [],
    call: ({ state, workspace }) => ({
      url: `https://${workspace.domain}.slack.com/`,
      team: workspace.name,
      user: state.users.get(workspace.botUserId)?.name,
      team_id: workspace.id,
      user_id: workspace.botUserId,
      bot_id: workspace.botId,
      app_id: state.app.id,
      is_enterprise_install: workspace.orgWideInstall,
      ...(workspace.enterpriseId ? { enterprise_id: workspace.enterpriseId } : {}),
    }),
  },
  'auth.teams.list': { by: 'bot', scopes: [], call: listTeams },
};
