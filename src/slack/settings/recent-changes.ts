import type { KnownBlock } from '@slack/types';
import type { AuditEntry, AuditEntryStore, FieldChange } from '../../store/audit-entries.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import type { ModalToOpen } from '../interaction/open-modal.ts';
import { buildModal } from '../interaction/views.ts';
import { context, section, timeAgo } from '../text/blocks.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { FIELDS } from '../words/request-form.ts';
import {
  CHANGE_HEADINGS,
  CHANGED_FIELDS,
  type Choices,
  PREVIEWS,
  RECENT_CHANGES,
  WORK_OBJECTS,
} from '../words/settings.ts';

export const RECENT_CHANGES_ACTION = 'recent-changes';

const VALUE_CHARS = 100;

/** A view takes 100 blocks. */
const SHOWN_MAX = 50;

export const createRecentChanges =
  (auditEntries: AuditEntryStore, organizations: OrganizationWorkspaceStore) =>
  (): ModalToOpen => ({
    title: RECENT_CHANGES.title,
    async fill({ workspaceId }, modal) {
      // An organization's default key also concerns its workspaces, so their admins see who changed it.
      const organizationId = await organizations.organizationOf(workspaceId);
      const owners = [workspaceId, ...(organizationId === undefined ? [] : [organizationId])];
      const entries = await auditEntries.list(owners, SHOWN_MAX + 1);
      await modal.draw(
        buildModal({
          title: RECENT_CHANGES.title,
          blocks: [
            section(RECENT_CHANGES.intro),
            ...(entries.length === 0 ? [section(RECENT_CHANGES.none)] : []),
            ...entries.slice(0, SHOWN_MAX).map(entryBlock),
            ...(entries.length > SHOWN_MAX ? [context(RECENT_CHANGES.older)] : []),
          ],
        }),
      );
    },
  });

function entryBlock({ what, by, about, changes, at }: AuditEntry): KnownBlock {
  const heading = CHANGE_HEADINGS[what](about && escapeMrkdwn(about));
  const who = by === undefined ? RECENT_CHANGES.operator : `<@${by}>`;
  return section([`*${heading}*`, `${who}, ${timeAgo(at)}`, ...changes.map(changeLine)].join('\n'));
}

const LABELS = new Map([
  ...Object.entries(FIELDS).map(([field, { label }]) => [field, label] as const),
  ...Object.entries(CHANGED_FIELDS),
]);
const VALUES: Readonly<Record<string, Choices>> = { unfurls: PREVIEWS, workObjects: WORK_OBJECTS };

function changeLine({ field, before, after }: FieldChange): string {
  const label = LABELS.get(field) ?? field;
  return `${escapeMrkdwn(label)}: ${wordsForValue(field, before)} → ${wordsForValue(field, after)}`;
}

function wordsForValue(field: string, value: string | boolean | undefined): string {
  if (value === undefined) return RECENT_CHANGES.nothing;
  if (typeof value === 'boolean') return value ? RECENT_CHANGES.on : RECENT_CHANGES.off;
  if (field === 'shareIn') return `<#${escapeMrkdwn(value)}>`;
  if (field === 'key') return RECENT_CHANGES.keyEnding(escapeCode(value));
  const named = VALUES[field]?.[value]?.[0] ?? value.replaceAll(/\s+/g, ' ');
  return escapeMrkdwn(clip(named, VALUE_CHARS));
}
