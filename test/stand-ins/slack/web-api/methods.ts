import type { OAuth } from '../oauth.ts';
import { refuse } from '../refusal.ts';
import { fileOutput } from '../state/files.ts';
import { workspaceOf } from '../state/state.ts';
import { covers } from '../state/tokens.ts';
import { manifestMethods } from './app-manifests.ts';
import { conversationMethods } from './channels.ts';
import { chatMethods } from './chat.ts';
import { entityMethods } from './entity.ts';
import { functionMethods } from './functions.ts';
import { type BotCall, type Method, requiredText } from './method.ts';
import { unfurlMethods } from './unfurl.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './views.ts';

/** Source: docs.slack.dev/reference/methods/files.info. Files that the app can't see don't exist for it. */
function info({ state, token, args }: BotCall) {
  const file = state.files.get(requiredText(args, 'file'));
  const isVisible =
    file?.sharedWithApp === true && covers(token, workspaceOf(state, file.workspaceId));
  if (!file || !isVisible) return refuse('file_not_found');
  if (file.status === 'deleted') return refuse('file_deleted');
  return { file: fileOutput(state, file), comments: [], response_metadata: { next_cursor: '' } };
}

const fileMethods: Record<string, Method> = {
  'files.info': { by: 'bot', scopes: ['files:read'], call: info },
};

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

const authMethods: Record<string, Method> = {
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

export function methodTable(oauth: OAuth): Record<string, Method> {
  return {
    ...authMethods,
    ...chatMethods,
    ...unfurlMethods,
    ...viewMethods,
    ...conversationMethods,
    ...userMethods,
    ...functionMethods,
    ...fileMethods,
    ...entityMethods,
    ...manifestMethods,
    'oauth.v2.access': {
      by: 'app',
      call: ({ args }) => oauth.access(args),
    },
    'apps.connections.open': {
      by: 'app',
      call({ token, state, sockets }) {
        if (token === '') return refuse('not_authed');
        if (token !== state.app.appToken) return refuse('invalid_auth');
        return { url: state.origin.replace(/^http/, 'ws') + sockets.issueTicket() };
      },
    },
  };
}
