import type { ModalView } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import type { ModalToOpen } from '../listener/open-modal.ts';
import { type ActionArgs, pressedValue } from '../listener/replies.ts';
import { buildNotice } from '../views/modal.ts';
import { updateView } from '../views/update-view.ts';
import { ONE_MOMENT } from '../words/modal.ts';
import { RECENT_CHANGES } from '../words/settings.ts';
import { buildRecentChanges } from './recent-changes-view.ts';

type ChangesDeps = Pick<SlackDeps, 'auditEntries' | 'organizations'>;

/** On one page. */
const PAGE = 20;
const OFFSET = /^\d{1,6}$/;

const notice = (text: string) => buildNotice({ title: RECENT_CHANGES.title, text });

/** Opens the audit trail on top of the settings. */
export const recentChangesModal = (deps: ChangesDeps): ModalToOpen => ({
  loading: notice(ONE_MOMENT),
  notice,
  async fill({ workspaceId }, modal) {
    await modal.draw(await pageFrom(deps, workspaceId, 0));
  },
});

/** Shows older or newer entries. */
export async function onOtherChanges(
  deps: ChangesDeps,
  { action, body, client }: ActionArgs,
  { workspaceId }: AllowedUser,
): Promise<void> {
  const offset = pressedValue(action);
  if (!body.view || !offset || !OFFSET.test(offset)) return;
  const view = await pageFrom(deps, workspaceId, Number(offset));
  await updateView(client, { viewId: body.view.id, hash: body.view.hash, view });
}

/** An organization's default key also concerns its workspaces, so their admins see who changed it. */
async function pageFrom(
  { auditEntries, organizations }: ChangesDeps,
  workspaceId: WorkspaceId,
  offset: number,
): Promise<ModalView> {
  const organizationId = await organizations.organizationOf(workspaceId);
  const owners = [workspaceId, ...(organizationId === undefined ? [] : [organizationId])];
  const found = await auditEntries.list(owners, { offset, limit: PAGE + 1 });
  return buildRecentChanges({
    entries: found.slice(0, PAGE),
    older: found.length > PAGE ? offset + PAGE : undefined,
    newer: offset > 0 ? Math.max(0, offset - PAGE) : undefined,
  });
}
