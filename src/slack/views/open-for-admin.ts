import type { ModalView } from '@slack/types';
import type { SlackDeps } from '../deps.ts';
import { refuseAdministering } from '../permissions.ts';
import type { SlackClient } from '../slack-client.ts';
import { buildNotice } from './notice-view.ts';
import { updateView } from './update-view.ts';

/**
 * Opens a modal that only admins may see. Whether somebody is one is Slack's to say, and nothing
 * remote stands before `views.open`, so it opens loading.
 *
 * @param input.build makes the modal, once its reader is known to be an admin
 */
export async function openForAdmin(
  deps: Pick<SlackDeps, 'people'>,
  client: SlackClient,
  input: {
    triggerId: string;
    workspaceId: string;
    userId: string;
    title: string;
    build: () => Promise<ModalView>;
  },
): Promise<void> {
  const { triggerId, workspaceId, userId, title, build } = input;
  const opened = await client.views.open({
    trigger_id: triggerId,
    view: buildNotice({ title, text: 'One moment…' }),
  });
  if (!opened.view?.id) throw new Error('views.open named no view');
  const person = await deps.people.whoIs(client, workspaceId, userId);
  const refusal = refuseAdministering(person);
  const view = refusal ? buildNotice({ title, text: refusal }) : await build();
  await updateView(client, { viewId: opened.view.id, hash: opened.view.hash, view });
}
