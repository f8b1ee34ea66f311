import type { KnownBlock, ModalView } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { AuditEntry, AuditEntryStore, FieldChange } from '../../store/audit-entries.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import type { AllowedUser } from '../surface/access.ts';
import type { ModalToOpen } from '../surface/open-modal.ts';
import { type ActionArgs, pressedValue } from '../surface/replies.ts';
import { buildModal, updateView } from '../surface/views.ts';
import { button, buttonRow, section } from '../text/blocks.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { timeAgo } from '../text/slack-date.ts';
import {
  CHANGE_HEADINGS,
  CHANGED_FIELDS,
  CHANGED_VALUES,
  RECENT_CHANGES,
} from '../words/settings.ts';

export const RECENT_CHANGES_ACTIONS = {
  open: 'recent-changes',
  older: 'recent-changes-older',
  newer: 'recent-changes-newer',
} as const;

const VALUE_CHARS = 100;

export const recentChangesButton = () =>
  buttonRow([button(RECENT_CHANGES_ACTIONS.open, RECENT_CHANGES.button)]);

/** Entries on one page. */
const PAGE = 20;
const OFFSET = /^\d{1,6}$/;

type RecentChangesDeps = {
  auditEntries: Pick<AuditEntryStore, 'list'>;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf'>;
};

export const createRecentChanges = (deps: RecentChangesDeps) => ({
  /** Opens the audit trail on top of the settings. */
  modal: (): ModalToOpen => ({
    title: RECENT_CHANGES.title,
    async fill({ workspaceId }, modal) {
      await modal.draw(await pageFrom(deps, workspaceId, 0));
    },
  }),

  /** Shows older or newer entries. */
  async onOthers({ action, body, client }: ActionArgs, { workspaceId }: AllowedUser) {
    const offset = pressedValue(action);
    if (!body.view || !offset || !OFFSET.test(offset)) return;
    const view = await pageFrom(deps, workspaceId, Number(offset));
    await updateView(client, body.view, view);
  },
});

/** An organization's default key also concerns its workspaces, so their admins see who changed it. */
async function pageFrom(
  { auditEntries, organizations }: RecentChangesDeps,
  workspaceId: WorkspaceId,
  offset: number,
): Promise<ModalView> {
  const organizationId = await organizations.organizationOf(workspaceId);
  const owners = [workspaceId, ...(organizationId === undefined ? [] : [organizationId])];
  const found = await auditEntries.list(owners, { offset, limit: PAGE + 1 });
  const entries = found.slice(0, PAGE);
  const page = (to: 'newer' | 'older', from: number) =>
    button(RECENT_CHANGES_ACTIONS[to], RECENT_CHANGES[to], { value: String(from) });
  return buildModal({
    title: RECENT_CHANGES.title,
    blocks: [
      section(RECENT_CHANGES.intro),
      ...(entries.length === 0 ? [section(RECENT_CHANGES.none)] : entries.map(entryBlock)),
      ...buttonRow([
        ...(offset > 0 ? [page('newer', Math.max(0, offset - PAGE))] : []),
        ...(found.length > PAGE ? [page('older', offset + PAGE)] : []),
      ]),
    ],
  });
}

function entryBlock({ what, by, about, changes, at }: AuditEntry): KnownBlock {
  const heading = CHANGE_HEADINGS[what](about && escapeMrkdwn(about));
  const who = by === undefined ? RECENT_CHANGES.operator : `<@${by}>`;
  return section(
    [`*${heading}*`, RECENT_CHANGES.by(who, timeAgo(at)), ...changes.map(changeLine)].join('\n'),
  );
}

function changeLine({ field, before, after }: FieldChange): string {
  const label = (CHANGED_FIELDS as Readonly<Record<string, string>>)[field] ?? field;
  return `${escapeMrkdwn(label)}: ${wordsForValue(field, before)} → ${wordsForValue(field, after)}`;
}

function wordsForValue(field: string, value: string | boolean | undefined): string {
  if (value === undefined) return RECENT_CHANGES.nothing;
  if (typeof value === 'boolean') return value ? RECENT_CHANGES.on : RECENT_CHANGES.off;
  if (field === 'shareIn') return `<#${escapeMrkdwn(value)}>`;
  if (field === 'key') return RECENT_CHANGES.keyEnding(escapeCode(value));
  const named = CHANGED_VALUES[field]?.[value] ?? value.replaceAll(/\s+/g, ' ');
  return escapeMrkdwn(clip(named, VALUE_CHARS));
}
