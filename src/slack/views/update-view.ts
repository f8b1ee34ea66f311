import type { ModalView } from '@slack/types';
import { slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';

/** An open view. The hash changes with every update. */
export type ShownView = { id?: string | undefined; hash?: string | undefined };

/**
 * Updates a view.
 *
 * @param input.hash if the new view derives from the shown one: another update since then wins, and
 *   this one is dropped
 * @returns the updated view; undefined if it was closed or updated by someone else
 * @throws Slack's error otherwise
 */
export async function updateView(
  client: SlackClient,
  input: { viewId: string; hash?: string | undefined; view: ModalView },
): Promise<ShownView | undefined> {
  try {
    const { viewId, viewId: view_id, hash, view } = input;
    const updated = await client.views.update({
      view_id,
      view,
      ...(hash === undefined ? {} : { hash }),
    });
    return { id: viewId, hash: updated.view?.hash };
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === 'not_found' || code === 'view_not_found' || code === 'hash_conflict') {
      return undefined;
    }
    throw error;
  }
}
