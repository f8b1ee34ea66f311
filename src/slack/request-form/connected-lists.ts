import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { SlackDeps } from '../deps.ts';

/**
 * The service's lists. Unlike a form, which can be sent later, presets and steps take no lists that were known before.
 *
 * @throws NotConnectedError or DesignApiError
 */
export async function connectedLists(
  { referenceLists }: Pick<SlackDeps, 'referenceLists'>,
  workspaceId: WorkspaceId,
): Promise<FormOptions> {
  const options = await referenceLists.formOptions(workspaceId);
  if (options.withoutKey) throw new NotConnectedError(options.withoutKey);
  return options;
}
