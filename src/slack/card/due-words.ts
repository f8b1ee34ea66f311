import { tz } from '@date-fns/tz';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { format } from 'date-fns/format';
import { isSameYear } from 'date-fns/isSameYear';
import type { DueDate } from '../../service/operations/dates.ts';
import { slackDate } from '../text/slack-date.ts';
import { CARD } from '../words/card.ts';

const UTC = { in: tz('UTC') };
const HOUR_MS = 3_600_000;
/** At this hour in UTC, nearly everyone has the same date. */
const COMMON_HOUR = 10;
/** Hours after a day has started in UTC, until it has ended everywhere. */
const ENDED_EVERYWHERE = 36;
/** So many days ahead are named by their weekday. */
const WEEKDAYS_AHEAD = 6;

/**
 * When a card is due: “due today”, “due Tue, 24 Nov”, “due 3 Dec”, “overdue since 3 Dec”, or only “needed by 3 Dec”. A preview
 * isn't drawn again when a day passes, so “today” is left to Slack, which keeps it up to date, and
 * a weekday has its date.
 *
 * @param isFinished nothing is overdue any more
 * @returns mrkdwn; undefined if the date couldn't be parsed
 */
export function dueWords(dueDate: DueDate, now: Date, isFinished: boolean): string | undefined {
  const { date, day, isWholeDay = false } = dueDate;
  const words = dueDay(dueDate, now);
  if (!date || words === undefined) return undefined;
  if (dueDate.isNeededBy) return CARD.neededOn(words);
  const end = isWholeDay ? hoursAfter(new Date(`${day}T00:00:00Z`), ENDED_EVERYWHERE) : date;
  const isOverdue = !isFinished && now >= end;
  return isOverdue ? CARD.overdue(words) : CARD.dueOn(words);
}

/** The day alone, in the same words. @returns mrkdwn; undefined if the date couldn't be parsed */
export function dueDay({ date, day }: DueDate, now: Date): string | undefined {
  return date && day !== undefined ? dayWords(new Date(`${day}T00:00:00Z`), now) : undefined;
}

/** @param start the first moment of the day in UTC */
function dayWords(start: Date, now: Date): string {
  const days = differenceInCalendarDays(start, now, UTC);
  if (Math.abs(days) <= 1) return slackDate(hoursAfter(start, COMMON_HOUR), '{date_short_pretty}');
  if (days > 0 && days <= WEEKDAYS_AHEAD) return format(start, 'EEE, d MMM', UTC);
  return format(start, isSameYear(start, now, UTC) ? 'd MMM' : 'd MMM yyyy', UTC);
}

const hoursAfter = (date: Date, hours: number) => new Date(date.getTime() + hours * HOUR_MS);
