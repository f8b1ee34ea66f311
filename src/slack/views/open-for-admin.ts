import type { ModalView } from '@slack/types';
import type { WorkspaceId } from '../../workspaces/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import type { Person } from '../people.ts';
import { refuseAdministering } from '../permissions.ts';
import type { SlackClient } from '../slack-client.ts';
import { reportUnexpected } from '../unexpected.ts';
import { buildNotice } from './notice-view.ts';
import { updateView } from './update-view.ts';

/**
 * Opens a modal that only admins may see. Whether somebody is one is Slack's to say, and nothing
 * remote stands before `views.open`, so it opens loading.
 *
 * @param input.build makes the modal, once its reader is known to be an admin
 */
export async function openForAdmin(
  deps: Pick<SlackDeps, 'people' | 'log'>,
  client: SlackClient,
  input: {
    triggerId: string;
    workspaceId: WorkspaceId;
    userId: string;
    title: string;
    build: (admin: Person) => Promise<ModalView>;
  },
): Promise<void> {
  const { triggerId, workspaceId, userId, title, build } = input;
  const opened = await client.views.open({
    trigger_id: triggerId,
    view: buildNotice({ title, text: 'One moment…' }),
  });
  if (!opened.view?.id) throw new Error('views.open named no view');
  const decide = async () => {
    const person = await deps.people.whoIs(client, workspaceId, userId);
    const refusal = refuseAdministering(person);
    return refusal ? buildNotice({ title, text: refusal }) : build(person);
  };
  const view = await decide().catch((error: unknown) => {
    // Said here: a modal that only says "One moment…" would be waited for.
    const text = reportUnexpected(deps.log, error, 'a modal for admins could not be filled');
    return buildNotice({ title, text });
  });
  await updateView(client, { viewId: opened.view.id, hash: opened.view.hash, view });
}
