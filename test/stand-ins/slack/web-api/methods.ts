import type { OAuth } from '../oauth.ts';
import { refuse } from '../refusal.ts';
import { manifestMethods } from './app-manifests.ts';
import { authMethods } from './auth.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { entityMethods } from './entity.ts';
import { fileMethods } from './files.ts';
import { functionMethods } from './functions.ts';
import type { Method } from './method.ts';
import { unfurlMethods } from './unfurl.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './views.ts';

/** Every Web API method of the stand-in, by name. */
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
      call: ({ args, authorization }) => oauth.access(args, authorization),
    },
    'apps.connections.open': {
      by: 'app',
      call({ args, authorization, state, sockets }) {
        const token = authorization.replace(/^Bearer /i, '') || args.token;
        if (!token) return refuse('not_authed');
        if (token !== state.app.appToken) return refuse('invalid_auth');
        return { url: state.origin.replace(/^http/, 'ws') + sockets.issueTicket() };
      },
    },
  };
}
