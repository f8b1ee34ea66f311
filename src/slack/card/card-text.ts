import { tz } from '@date-fns/tz';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { format } from 'date-fns/format';
import { isSameYear } from 'date-fns/isSameYear';
import type { Card } from '../../service/operations/card.ts';
import type { DueDate } from '../../service/operations/loose-values.ts';
import { isFinished } from '../../watching/finished.ts';
import { slackDate, timeAgo } from '../text/blocks.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { clip, isBlank, wellFormed } from '../text/limits.ts';
import { CARD } from '../words/card.ts';
import type { CardFacts, CardView } from './card-view.ts';

// What all views of a card share. Lengths are in characters before escaping, under Slack's limits.

const TITLE_CHARS = 200;
/** Stays under Slack's 3,000 for a section, escaped, together with what follows. */
const TITLE_LINE_MAX = 2_200;
const FACT_CHARS = 250;
/** Several of these stay under Slack's 3,000 for a text, escaped. */
const SHORT_FACT_CHARS = 75;

export const titleOf = (card: Pick<Card, 'id' | 'title'>): string => {
  const title = isBlank(card.title) ? CARD.untitled(card.id) : card.title;
  return clip(wellFormed(title).replaceAll(/\s+/g, ' ').trim(), TITLE_CHARS);
};

/** The title with a link if there is one, unless that would fill the section. */
export function linkedTitle(url: string | undefined, title: string): string {
  const link = url === undefined ? '' : escapedLink(url, title);
  return `*${link !== '' && link.length <= TITLE_LINE_MAX ? link : escapeMrkdwn(title)}*`;
}

/** Text from the service, clipped and escaped; undefined if blank. */
export function plain(text: string | undefined, most = FACT_CHARS): string | undefined {
  const shown = text === undefined ? '' : wellFormed(text).trim();
  return isBlank(shown) ? undefined : escapeMrkdwn(clip(shown, most));
}

export const statusOf = ({ status }: Pick<Card, 'status'>) => plain(status?.name, SHORT_FACT_CHARS);

export function coloredStatus({ status }: Pick<Card, 'status'>): string | undefined {
  const name = statusOf({ status });
  return name && [statusEmoji(status?.color), name].filter(Boolean).join(' ');
}

/** Of less saturated colors, only the lightness counts. Both are from 0 to 1. */
const GRAY_SATURATION = 0.15;
const WHITE_LIGHTNESS = 0.6;
const BROWN_LIGHTNESS = 0.35;

type TagColor = 'red' | 'yellow' | 'green' | 'blue' | 'gray';
/** What Slack has for a color: a circle, by its name, and a tag. */
type StatusColor = readonly [emoji: string, tag: TagColor];
const BLACK: StatusColor = [':black_circle:', 'gray'];
const WHITE: StatusColor = [':white_circle:', 'gray'];
const BROWN: StatusColor = [':large_brown_circle:', 'yellow'];
/** Where each ends on the color wheel, in degrees. */
const HUES: readonly (readonly [end: number, ...StatusColor])[] = [
  [15, ':red_circle:', 'red'],
  [45, ':large_orange_circle:', 'yellow'],
  [70, ':large_yellow_circle:', 'yellow'],
  [170, ':large_green_circle:', 'green'],
  [250, ':large_blue_circle:', 'blue'],
  [330, ':large_purple_circle:', 'blue'],
  [360, ':red_circle:', 'red'],
];

/** The circle closest to the color of a status or tag; undefined if it has none in the form `#rrggbb`. */
export const statusEmoji = (color: string | undefined): string | undefined =>
  shownColor(color)?.[0];

export const tagColor = (color: string | undefined): TagColor => shownColor(color)?.[1] ?? 'gray';

function shownColor(color = ''): StatusColor | undefined {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)?.slice(1);
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16) / 255);
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const lightness = most - range / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  if (saturation < GRAY_SATURATION) return lightness < WHITE_LIGHTNESS ? BLACK : WHITE;
  let hue = 240 + (60 * (red - green)) / range;
  if (most === red) hue = ((60 * (green - blue)) / range + 360) % 360;
  else if (most === green) hue = 120 + (60 * (blue - red)) / range;
  const [, ...shown] = HUES.find(([end]) => hue < end) ?? [360, ...WHITE];
  return shown[0] === ':large_orange_circle:' && lightness < BROWN_LIGHTNESS ? BROWN : shown;
}

export function factsLine({ card, typeName, brandName, shownAt }: CardFacts): string {
  return onOneLine([
    coloredStatus(card),
    plain(typeName, SHORT_FACT_CHARS),
    plain(brandName, SHORT_FACT_CHARS),
    dueOf(card, shownAt),
  ]);
}

export function dueOf({ dueDate, status }: Pick<Card, 'dueDate' | 'status'>, now: Date) {
  if (!dueDate) return undefined;
  const text = plain(dueDate.text, SHORT_FACT_CHARS);
  return dueWords(dueDate, now, isFinished(status?.name)) ?? (text && CARD.dueOn(text));
}

const UTC = { in: tz('UTC') };
const HOUR_MS = 3_600_000;
/** At this hour in UTC, nearly everyone has the same date. */
const COMMON_HOUR = 10;
/** Hours after a day has started in UTC, until it has ended everywhere. */
const ENDED_EVERYWHERE_HOURS = 36;
/** How many days ahead are named by their weekday. */
const WEEKDAYS_AHEAD = 6;

/**
 * When a card is due: “due today”, “due Tue, 24 Nov”, “due 3 Dec”, “overdue since 3 Dec”, or only “needed by 3 Dec”. A
 * preview isn't drawn again when a day passes, so “today” is left to Slack, which keeps it up to date, and a weekday
 * has its date. Nothing finished is overdue. Undefined if the date couldn't be parsed.
 */
export function dueWords(dueDate: DueDate, now: Date, isFinished: boolean): string | undefined {
  const { date, day, isWholeDay = false } = dueDate;
  const words = dueDay(dueDate, now);
  if (!date || words === undefined) return undefined;
  if (dueDate.isNeededBy) return CARD.neededOn(words);
  const end = isWholeDay ? hoursAfter(new Date(`${day}T00:00:00Z`), ENDED_EVERYWHERE_HOURS) : date;
  const isOverdue = !isFinished && now >= end;
  return isOverdue ? CARD.overdue(words) : CARD.dueOn(words);
}

/** The day alone, in the same words, as mrkdwn; undefined if the date couldn't be parsed. */
export function dueDay({ date, day }: DueDate, now: Date): string | undefined {
  if (!date || day === undefined) return undefined;
  const start = new Date(`${day}T00:00:00Z`);
  const days = differenceInCalendarDays(start, now, UTC);
  if (Math.abs(days) <= 1) return slackDate(hoursAfter(start, COMMON_HOUR), '{date_short_pretty}');
  if (days > 0 && days <= WEEKDAYS_AHEAD) return format(start, 'EEE, d MMM', UTC);
  return format(start, isSameYear(start, now, UTC) ? 'd MMM' : 'd MMM yyyy', UTC);
}

const hoursAfter = (date: Date, hours: number) => new Date(date.getTime() + hours * HOUR_MS);

export function historyLine({ card, requesterName, asOf, detail }: CardFacts & Partial<CardView>) {
  const requester = plain(requesterName, SHORT_FACT_CHARS);
  return onOneLine([
    requester && CARD.requestedBy(requester),
    detail === 'all' && card.createdAt ? CARD.created(timeAgo(card.createdAt)) : undefined,
    card.updatedAt && CARD.changed(timeAgo(card.updatedAt)),
    asOf && CARD.asOf(timeAgo(asOf)),
  ]);
}

export const onOneLine = (parts: (string | undefined)[]): string =>
  parts.filter(Boolean).join(' · ');

/** How the paragraphs begin that this app adds below the description (`request-form/prepare-card.ts`). */
const OUR_LINES = /<p>(?:Needed by |References:<\/p>|Requested in Slack)/;

export function authorsText(html: string): string {
  const end = html.search(OUR_LINES);
  return end < 0 ? html : html.slice(0, end);
}
