import type { OAuth } from '../oauth.ts';
import { refuse } from '../refusal.ts';
import { fileOutput } from '../state/files.ts';
import { workspaceOf } from '../state/state.ts';
import { covers } from '../state/tokens.ts';
import { createApp } from './app-manifests.ts';
import { conversation, members, READ_SCOPE } from './channels.ts';
import { deleteMessage, permalink, postEphemeral, postMessage, updateMessage } from './chat.ts';
import { presentDetails } from './entity.ts';
import { completeError, completeSuccess } from './functions.ts';
import { type AppCall, type BotCall, type Method, requiredText } from './method.ts';
import { unfurl } from './unfurl.ts';
import { people, person } from './users.ts';
import { openView, publishView, pushView, updateView } from './views.ts';

/** Source: docs.slack.dev/reference/methods/files.info. Files that the app can't see don't exist for it. */
function file({ state, token, args }: BotCall) {
  const found = state.files.get(requiredText(args, 'file'));
  const isVisible =
    found?.sharedWithApp === true && covers(token, workspaceOf(state, found.workspaceId));
  if (!found || !isVisible) return refuse('file_not_found');
  if (found.status === 'deleted') return refuse('file_deleted');
  return { file: fileOutput(state, found), comments: [], response_metadata: { next_cursor: '' } };
}

const testToken = ({ state, workspace }: BotCall) => ({
  url: `https://${workspace.domain}.slack.com/`,
  team: workspace.name,
  user: state.users.get(workspace.botUserId)?.name,
  team_id: workspace.id,
  user_id: workspace.botUserId,
  bot_id: workspace.botId,
  app_id: state.app.id,
  is_enterprise_install: workspace.orgWideInstall,
  ...(workspace.enterpriseId ? { enterprise_id: workspace.enterpriseId } : {}),
});

/** The workspaces in which the token works, in one page. */
function teams({ state, token }: BotCall) {
  const all = [...state.workspaces.values()].filter(
    (workspace) => workspace.installed && covers(token, workspace),
  );
  return {
    teams: all.map(({ id, name }) => ({ id, name })),
    response_metadata: { next_cursor: '' },
  };
}

function connection({ token, state, sockets }: AppCall) {
  if (token === '') return refuse('not_authed');
  if (token !== state.app.appToken) return refuse('invalid_auth');
  return { url: state.origin.replace(/^http/, 'ws') + sockets.issueTicket() };
}

/** The methods that the app calls; any other is unknown. */
export const methodTable = (oauth: OAuth): Record<string, Method> => ({
  'apps.connections.open': { by: 'app', call: connection },
  'apps.manifest.create': { by: 'app', call: createApp },
  'auth.teams.list': { by: 'bot', scopes: [], call: teams },
  'auth.test': { by: 'bot', scopes: [], call: testToken },
  'chat.delete': { by: 'bot', scopes: ['chat:write'], call: deleteMessage },
  'chat.getPermalink': { by: 'bot', scopes: [], call: permalink },
  'chat.postEphemeral': { by: 'bot', scopes: ['chat:write'], call: postEphemeral },
  'chat.postMessage': { by: 'bot', scopes: ['chat:write'], call: postMessage },
  'chat.unfurl': { by: 'bot', scopes: ['links:write'], call: unfurl },
  'chat.update': { by: 'bot', scopes: ['chat:write'], call: updateMessage },
  'conversations.info': { by: 'bot', scopes: Object.values(READ_SCOPE), call: conversation },
  'conversations.members': { by: 'bot', scopes: Object.values(READ_SCOPE), call: members },
  'entity.presentDetails': { by: 'bot', scopes: [], call: presentDetails },
  'files.info': { by: 'bot', scopes: ['files:read'], call: file },
  'functions.completeError': { by: 'bot', scopes: [], call: completeError },
  'functions.completeSuccess': { by: 'bot', scopes: [], call: completeSuccess },
  'oauth.v2.access': { by: 'app', call: ({ args }) => oauth.access(args) },
  'users.info': { by: 'bot', scopes: ['users:read'], call: person },
  'users.list': { by: 'bot', scopes: ['users:read'], call: people },
  'views.open': { by: 'bot', scopes: [], call: openView },
  'views.publish': { by: 'bot', scopes: [], call: publishView },
  'views.push': { by: 'bot', scopes: [], call: pushView },
  'views.update': { by: 'bot', scopes: [], call: updateView },
});
