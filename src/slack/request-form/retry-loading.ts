import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, workspaceOf } from '../listeners.ts';
import { updateView } from '../views/update-view.ts';
import { readMetadata } from './metadata.ts';
import { buildLoadingView } from './modal.ts';
import { completeForm, type FormDeps } from './open.ts';

/** "Try again" in a form that could not be filled; one that was sent before comes with what was typed. */
export async function onRetryLoading(
  deps: FormDeps & Pick<SlackDeps, 'requests'>,
  args: ActionArgs,
): Promise<void> {
  const { body, client, context } = args;
  if (!body.view) return;
  const metadata = readMetadata(body.view.private_metadata);
  const { id: viewId, hash } = body.view;
  const view = await updateView(client, { viewId, hash, view: buildLoadingView(metadata) });
  // Pressed twice, or closed meanwhile: somebody else draws it, or nobody needs it.
  if (!view) return;
  const workspaceId = workspaceOf(context);
  const sent = await deps.requests.get(workspaceId, metadata.formId);
  const returned = sent?.state === 'rejected' && sent.userId === body.user.id ? sent : undefined;
  await completeForm(deps, client, { workspaceId, metadata, view, returned });
}
