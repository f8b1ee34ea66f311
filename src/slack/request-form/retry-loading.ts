import { type ActionArgs, workspaceOf } from '../listener/replies.ts';
import { updateView } from '../views/update-view.ts';
import { type CompleteDeps, completeForm } from './complete-form.ts';
import { readMetadata } from './metadata.ts';
import { buildLoadingView } from './modal.ts';

/** "Try again" in a form that couldn't be loaded. */
export async function onRetryLoading(deps: CompleteDeps, args: ActionArgs): Promise<void> {
  const { body, client, context } = args;
  if (!body.view) return;
  const metadata = readMetadata(body.view.private_metadata);
  const { id: viewId, hash } = body.view;
  const view = await updateView(client, { viewId, hash, view: buildLoadingView(metadata) });
  // Pressed twice or closed: someone else updates it, or nobody needs it.
  if (!view) return;
  await completeForm(deps, client, { workspaceId: workspaceOf(context), metadata, view });
}
