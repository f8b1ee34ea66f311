import type { EntityCustomField, EntityTypedField, TaskEntityFields } from '@slack/types';
import type { Card } from '../../service/operations/read-card.ts';
import type { CardFacts } from '../card/card-view.ts';
import { nearestTagColor } from '../card/status-color.ts';
import { WORK_OBJECT } from '../words/work-object.ts';
import { shownText, textField } from './text-fields.ts';

/** The last second that fits into the ten digits of a Unix time. */
const LAST_SECOND = 9_999_999_999;

/** Slack's standard fields of a task, as far as the card has them. */
export function taskFields({
  card,
  requesterName,
}: Pick<CardFacts, 'card' | 'requesterName'>): TaskEntityFields {
  const status = shownText(card.status?.name);
  const due = dueDateOf(card);
  return withoutBlanks({
    status: status && {
      label: WORK_OBJECT.status,
      value: status,
      tag_color: nearestTagColor(card.status?.color),
    },
    due_date: due && 'field' in due ? due.field : undefined,
    created_by: requesterOf(requesterName ?? card.createdBy),
    date_created: momentOf(card.createdAt, WORK_OBJECT.created),
    date_updated: momentOf(card.updatedAt, WORK_OBJECT.updated),
  });
}

/** A due date that isn't a date, as the service wrote it. */
export function wordyDueDate(card: Card): EntityCustomField[] {
  const due = dueDateOf(card);
  return due && 'text' in due ? textField('due', WORK_OBJECT.due, due.text) : [];
}

/** A date without a time is the same day in every time zone. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const NAMED_DAY = /^\d{1,2}-[a-z]{3}-\d{4}$/i;

function dueDateOf({ dueDate }: Card): { field: EntityTypedField } | { text: string } | undefined {
  if (!dueDate) return undefined;
  const label = dueDate.isNeededBy ? WORK_OBJECT.neededBy : WORK_OBJECT.due;
  const day = dayOf(dueDate.text.trim());
  if (day) return { field: { label, type: 'slack#/types/date', value: day } };
  const seconds = secondsOf(dueDate.date);
  if (seconds === undefined) return { text: dueDate.text };
  return { field: { label, type: 'slack#/types/timestamp', value: seconds } };
}

/** @returns `YYYY-MM-DD`, if the text is only a day that exists */
function dayOf(text: string): string | undefined {
  if (!DAY.test(text) && !NAMED_DAY.test(text)) return undefined;
  const date = new Date(`${text} UTC`);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = date.toISOString().slice(0, 10);
  return NAMED_DAY.test(text) || day === text ? day : undefined;
}

const EMAIL = /^[^\s@<>]{1,100}@[^\s@<>]{1,100}$/;

/** With an email address, Slack shows the person who has it. */
function requesterOf(requester: string | undefined): EntityTypedField | undefined {
  const name = shownText(requester);
  if (name === undefined) return undefined;
  const user = { text: name, ...(EMAIL.test(name) ? { email: name } : {}) };
  return { label: WORK_OBJECT.requester, type: 'slack#/types/user', user };
}

const momentOf = (date: Date | undefined, label: string) => {
  const value = secondsOf(date);
  return value === undefined ? undefined : { label, value };
};

/** Unix seconds; undefined for a time that Slack can't show. */
export function secondsOf(date: Date | undefined): number | undefined {
  const seconds = date ? Math.floor(date.getTime() / 1_000) : Number.NaN;
  return seconds >= 0 && seconds <= LAST_SECOND ? seconds : undefined;
}

type Blank = undefined | '';

function withoutBlanks(
  fields: {
    [Key in keyof TaskEntityFields]: TaskEntityFields[Key] | Blank;
  },
): TaskEntityFields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => Boolean(field)));
}
