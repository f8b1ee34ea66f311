import type { ModalView } from '@slack/types';
import { slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';

/** A view that stands before somebody; the hash changes whenever it is drawn. */
export type ShownView = { id?: string | undefined; hash?: string | undefined };

/**
 * Draws a view anew.
 *
 * @param input.hash given where the new view derives from the shown one: if that changed meanwhile,
 *   somebody else has drawn it and this drawing is dropped
 * @returns the view as it is now, undefined where it is closed or was drawn by somebody else
 * @throws Slack's error for everything else
 */
export async function updateView(
  client: SlackClient,
  input: { viewId: string; hash?: string | undefined; view: ModalView },
): Promise<ShownView | undefined> {
  try {
    const { viewId, viewId: view_id, hash, view } = input;
    const drawn = await client.views.update({
      view_id,
      view,
      ...(hash === undefined ? {} : { hash }),
    });
    return { id: viewId, hash: drawn.view?.hash };
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === 'not_found' || code === 'view_not_found' || code === 'hash_conflict') {
      return undefined;
    }
    throw error;
  }
}
