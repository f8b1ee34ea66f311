import type { ModalView } from '@slack/types';
import type { SlackClient } from '../slack-client.ts';
import { slackErrorCode } from '../slack-errors.ts';

/**
 * Draws a view anew.
 *
 * @param input.hash given where the new view derives from the shown one: if that changed meanwhile,
 *   somebody else has drawn it and this drawing is dropped
 * @returns false where the view is closed or was drawn by somebody else
 * @throws Slack's error for everything else
 */
export async function updateView(
  client: SlackClient,
  input: { viewId: string; hash?: string | undefined; view: ModalView },
): Promise<boolean> {
  try {
    const { viewId: view_id, hash, view } = input;
    await client.views.update({ view_id, view, ...(hash === undefined ? {} : { hash }) });
    return true;
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === 'not_found' || code === 'view_not_found' || code === 'hash_conflict') return false;
    throw error;
  }
}
