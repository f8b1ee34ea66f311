import type { ModalView } from '@slack/types';
import type { FormOptions } from '../../catalogue/catalogue.ts';
import type { WorkspaceId } from '../../workspaces/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import type { SlackClient } from '../slack-client.ts';
import { type ShownView, updateView } from '../views/update-view.ts';

/**
 * Draws a form once more, with its brands or the word that they can't be had, where it was drawn while
 * nobody had read them. What was typed meanwhile stays; a form that was closed, or drawn anew by
 * somebody else, is left alone. Never rejects: the form stands, and can be sent without a brand.
 *
 * @param input.shown the view as it was drawn with these options
 * @param input.draw makes the same view of other options
 */
export async function letBrandsFollow(
  deps: Pick<SlackDeps, 'catalogue' | 'log'>,
  client: SlackClient,
  input: {
    workspaceId: WorkspaceId;
    options: FormOptions;
    shown: ShownView | undefined;
    draw: (options: FormOptions) => ModalView | Promise<ModalView>;
  },
): Promise<void> {
  const { workspaceId, options, shown, draw } = input;
  if (!options.brandsFollow || !shown?.id) return;
  const { brands } = await deps.catalogue.formOptions(workspaceId).catch(() => options);
  try {
    const view = await draw({ ...options, brands, brandsFollow: false });
    await updateView(client, { viewId: shown.id, hash: shown.hash, view });
  } catch (error) {
    deps.log.warn({ err: error, workspace: workspaceId }, 'a form stays without its brands');
  }
}
