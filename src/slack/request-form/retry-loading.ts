import { type ActionArgs, workspaceOf } from '../listeners.ts';
import { readMetadata } from './metadata.ts';
import { buildLoadingView } from './modal.ts';
import { completeForm, type FormDeps } from './open.ts';

/** "Try again" in a form that could not be filled. */
export async function onRetryLoading(deps: FormDeps, args: ActionArgs): Promise<void> {
  const { body, client, context } = args;
  if (!body.view) return;
  const metadata = readMetadata(body.view.private_metadata);
  const shown = await client.views.update({
    view_id: body.view.id,
    hash: body.view.hash,
    view: buildLoadingView(metadata),
  });
  const workspaceId = workspaceOf(context);
  await completeForm(deps, client, { workspaceId, metadata, view: shown.view });
}
