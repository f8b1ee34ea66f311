import { type ActionArgs, workspaceOf } from '../listeners.ts';
import { updateView } from '../views/update-view.ts';
import { readMetadata } from './metadata.ts';
import { buildLoadingView } from './modal.ts';
import { completeForm, type FormDeps } from './open.ts';

/** "Try again" in a form that could not be filled. */
export async function onRetryLoading(deps: FormDeps, args: ActionArgs): Promise<void> {
  const { body, client, context } = args;
  if (!body.view) return;
  const metadata = readMetadata(body.view.private_metadata);
  const { id: viewId, hash } = body.view;
  const shown = await updateView(client, { viewId, hash, view: buildLoadingView(metadata) });
  // Pressed twice, or closed meanwhile: somebody else draws it, or nobody needs it.
  if (!shown) return;
  await completeForm(deps, client, { workspaceId: workspaceOf(context), metadata, view: shown });
}
