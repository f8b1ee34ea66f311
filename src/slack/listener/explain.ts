import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { SlackDeps } from '../deps.ts';
import { type Denied, wordsForDenied, wordsForServiceError } from '../words/errors.ts';
import type { Actor } from './guard.ts';

type ExplainDeps = Pick<SlackDeps, 'adminToAsk'>;

/** Why someone has no access, naming an admin if one can change that. */
export async function explainDenied(
  { adminToAsk }: ExplainDeps,
  { client, workspaceId, userId }: Actor,
  denied: Denied,
): Promise<string> {
  const canBeChanged = denied === 'guest' || denied === 'not_admin';
  return wordsForDenied(
    denied,
    canBeChanged ? await adminToAsk(client, workspaceId, userId) : undefined,
  );
}

/**
 * Why something can't be read from the service, naming an admin if the API key is the reason.
 *
 * @throws the error itself if it isn't about the service or its key
 */
export async function explainServiceError(
  { adminToAsk }: ExplainDeps,
  { client, workspaceId, userId }: Actor,
  error: unknown,
): Promise<string> {
  const isAboutKey =
    error instanceof NotConnectedError ||
    (error instanceof DesignApiError && error.code === 'unauthorized');
  return wordsForServiceError(
    error,
    isAboutKey ? await adminToAsk(client, workspaceId, userId) : undefined,
  );
}
