import { asText, isObject, type JsonObject, parseJson } from '../json.ts';
import type { OAuth } from '../oauth.ts';
import { refuse, SlackRefusal } from '../refusal.ts';
import { isIn } from '../state/conversations.ts';
import type { Token } from '../state/model.ts';
import { type SlackState, type WorkspaceRecord, workspaceOf } from '../state/state.ts';
import { covers, tokenRefusal } from '../state/tokens.ts';
import { openViewById } from '../views/stacks.ts';
import { type Method, requireScope, type Services } from './method.ts';
import { methodTable } from './methods.ts';

export interface ApiRequest {
  method: string;
  contentType: string;
  authorization: string;
  body: string;
}

type BadBody = 'missing_post_type' | 'invalid_post_type' | 'invalid_json' | 'json_not_object';

/** Slack also takes a token among the arguments of a form. The app never sends it there. */
const tokenIn = ({ authorization }: ApiRequest): string =>
  /^Bearer\s+(\S.*)$/i.exec(authorization)?.[1] ?? '';

export type WebApi = ReturnType<typeof createWebApi>;

export function createWebApi(services: Services, oauth: OAuth) {
  const { state } = services;
  const methods = methodTable(oauth);

  async function callAsBot(method: Method & { by: 'bot' }, request: ApiRequest, args: JsonObject) {
    const name = tokenIn(request);
    if (name === '') return refuse('not_authed');
    const token = state.tokens.get(name);
    const refused = tokenRefusal(state, token);
    if (!token || refused) return refuse(refused ?? 'invalid_auth');
    requireScope(token, method.scopes);
    const workspace = actingWorkspace(state, token, args);
    return method.call({ ...services, args, workspace, token });
  }

  async function run(request: ApiRequest, args: JsonObject) {
    const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (!method) return refuse('unknown_method', [], { req_method: request.method });
    if (method.by === 'bot') return callAsBot(method, request, args);
    return method.call({ ...services, args, token: tokenIn(request) });
  }

  return {
    readArguments,
    workspaceIdOf(request: ApiRequest, args: JsonObject) {
      const token = state.tokens.get(tokenIn(request));
      return token && findActingWorkspace(state, token, args)?.id;
    },
    /** The answer's JSON, and the token's scopes. Never throws for what an app may send. */
    async execute(request: ApiRequest, args: JsonObject) {
      const scopes = state.tokens.get(tokenIn(request))?.scopes ?? [];
      try {
        return { body: { ok: true, ...(await run(request, args)) }, scopes };
      } catch (error) {
        if (!(error instanceof SlackRefusal)) throw error;
        return { body: error.body, scopes };
      }
    },
  };
}

function readArguments({ contentType, body }: ApiRequest): JsonObject | BadBody {
  const [type = ''] = contentType.split(';');
  if (type === 'application/x-www-form-urlencoded' || body === '') {
    return Object.fromEntries(new URLSearchParams(body));
  }
  if (type === '') return 'missing_post_type';
  if (type !== 'application/json') return 'invalid_post_type';
  const parsed = parseJson(body);
  if (parsed === undefined) return 'invalid_json';
  return isObject(parsed) ? parsed : 'json_not_object';
}

/** An organization's token works in many workspaces: `team_id` names one, or what the call is about is in one. */
function findActingWorkspace(state: SlackState, token: Token, args: JsonObject) {
  if (token.organizationId === undefined) return workspaceOf(state, token.workspaceId);
  const given = [...state.workspaces.values()].filter((one) => one.installed && covers(token, one));
  const teamId = asText(args.team_id);
  if (teamId) return given.find(({ id }) => id === teamId);
  const channel = state.channels.get(asText(args.channel));
  const named = [
    state.triggers.get(asText(args.trigger_id))?.workspaceId,
    openViewById(state, asText(args.view_id))?.workspaceId,
    state.users.get(asText(args.user) || asText(args.channel))?.teamId,
  ];
  return given.find((one) => named.includes(one.id) || (channel && isIn(channel, one.id)));
}

/** The same; refuses `team_access_not_granted` if the token doesn't work in it. */
function actingWorkspace(state: SlackState, token: Token, args: JsonObject): WorkspaceRecord {
  const found = findActingWorkspace(state, token, args);
  if (found) return found;
  // A call that isn't about a workspace works without one.
  return asText(args.team_id)
    ? refuse('team_access_not_granted')
    : workspaceOf(state, token.workspaceId);
}
