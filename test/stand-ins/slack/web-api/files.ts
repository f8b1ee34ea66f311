import { refuse } from '../refusal.ts';
import { fileOutput } from '../state/files.ts';
import { workspaceOf } from '../state/state.ts';
import { covers } from '../state/tokens.ts';
import { type BotCall, type Method, requiredText } from './method.ts';

/** Source: docs.slack.dev/reference/methods/files.info. Files that the app can't see don't exist for it. */
function info({ state, token, args }: BotCall) {
  const file = state.files.get(requiredText(args, 'file'));
  const isVisible =
    file?.sharedWithApp === true && covers(token, workspaceOf(state, file.workspaceId));
  if (!file || !isVisible) return refuse('file_not_found');
  if (file.status === 'deleted') return refuse('file_deleted');
  return { file: fileOutput(state, file), comments: [], response_metadata: { next_cursor: '' } };
}

export const fileMethods: Record<string, Method> = {
  'files.info': { by: 'bot', scopes: ['files:read'], call: info },
};
