import { appUninstalled } from '../events.ts';
import { refuse } from '../refusal.ts';
import { covers } from '../state/tokens.ts';
import { type BotCall, isYes, type Method } from './method.ts';

// Revoking the only bot token removes the app from the workspace.
function revoke(call: BotCall) {
  if (isYes(call.args.test)) return { revoked: false };
  appUninstalled(call, call.workspace, ['tokens_revoked', 'app_uninstalled']);
  return { revoked: true };
}

function uninstall(call: BotCall) {
  appUninstalled(call, call.workspace);
  return {};
}

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

/** Whose token it is, and revoking it. */
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
  'bots.info': {
    by: 'bot',
    scopes: ['users:read'],
    call({ state, args, workspace }) {
      if (args.bot !== workspace.botId) return refuse('bot_not_found');
      const { botId: id, botUserId: user_id } = workspace;
      return {
        bot: { id, user_id, app_id: state.app.id, deleted: false, name: state.manifest.name },
      };
    },
  },
  'auth.teams.list': { by: 'bot', scopes: [], call: listTeams },
  'auth.revoke': { by: 'bot', scopes: [], call: revoke },
  'apps.uninstall': { by: 'bot', scopes: [], call: uninstall },
};
