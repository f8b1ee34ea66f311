import type { KnownBlock, ModalView } from '@slack/types';
import type { AuditEntry, FieldChange } from '../../store/audit-entries.ts';
import { button, buttonRow, section } from '../text/blocks.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { timeAgo } from '../text/slack-date.ts';
import { buildModal } from '../views/modal.ts';
import {
  CHANGE_HEADINGS,
  CHANGED_FIELDS,
  CHANGED_VALUES,
  RECENT_CHANGES as WORDS,
} from '../words/settings.ts';

export const RECENT_CHANGES_ACTIONS = {
  open: 'recent-changes',
  older: 'recent-changes-older',
  newer: 'recent-changes-newer',
} as const;

/** Shown of a value, in characters. */
const VALUE_SHOWN = 100;

/** Opens the modal. */
export const recentChangesButton = () =>
  buttonRow([button(RECENT_CHANGES_ACTIONS.open, WORDS.button)]);

/**
 * One page of the audit trail.
 *
 * @param props.older where the page of older entries begins; undefined if there are none
 * @param props.newer the same for newer ones
 */
export function buildRecentChanges(props: {
  entries: readonly AuditEntry[];
  older: number | undefined;
  newer: number | undefined;
}): ModalView {
  const { entries, older, newer } = props;
  const page = (direction: 'newer' | 'older', offset: number | undefined) =>
    offset === undefined
      ? []
      : [button(RECENT_CHANGES_ACTIONS[direction], WORDS[direction], { value: String(offset) })];
  return buildModal({
    title: WORDS.title,
    blocks: [
      section(WORDS.intro),
      ...(entries.length === 0 ? [section(WORDS.none)] : entries.map(entryBlock)),
      ...buttonRow([...page('newer', newer), ...page('older', older)]),
    ],
  });
}

function entryBlock({ what, by, about, changes, at }: AuditEntry): KnownBlock {
  const heading = CHANGE_HEADINGS[what](about && escapeMrkdwn(about));
  const who = by === undefined ? WORDS.operator : `<@${by}>`;
  return section(
    [`*${heading}*`, WORDS.by(who, timeAgo(at)), ...changes.map(changeLine)].join('\n'),
  );
}

function changeLine({ field, before, after }: FieldChange): string {
  const label = (CHANGED_FIELDS as Readonly<Record<string, string>>)[field] ?? field;
  return `${escapeMrkdwn(label)}: ${shown(field, before)} → ${shown(field, after)}`;
}

function shown(field: string, value: string | boolean | undefined): string {
  if (value === undefined) return WORDS.nothing;
  if (typeof value === 'boolean') return value ? WORDS.on : WORDS.off;
  if (field === 'shareIn') return `<#${escapeMrkdwn(value)}>`;
  if (field === 'key') return WORDS.keyEnding(escapeCode(value));
  const named = CHANGED_VALUES[field]?.[value] ?? value.replaceAll(/\s+/g, ' ');
  return escapeMrkdwn(clip(named, VALUE_SHOWN));
}
