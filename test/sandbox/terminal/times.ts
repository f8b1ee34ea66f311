import { padTo } from './columns.ts';

/** How long a person waited for something, in ms. */
export type Timing = {
  what: string;
  /** Until the app's acknowledgment, for which Slack waits three seconds. */
  acknowledgedMs: number;
  /** Until it was on the screen. */
  shownMs: number;
  /** Whether Slack limits that wait too: a modal must open within three seconds of its trigger. */
  shownIsLimited: boolean;
};

const WHAT_COLUMNS = 34;
const TIME_COLUMNS = 15;

export const inMs = (ms: number): string => `${Math.max(1, Math.round(ms))} ms`;

/** All times in a table. */
export function timesAsLines(timings: readonly Timing[]): string[] {
  const rows = timings.map(({ what, acknowledgedMs, shownMs, shownIsLimited }) =>
    row(what, inMs(acknowledgedMs), inMs(shownMs) + (shownIsLimited ? ' (limit 3 s)' : '')),
  );
  return [row('', 'acknowledged', 'on screen'), row('', '(limit 3 s)', ''), ...rows];
}

const row = (what: string, acknowledged: string, shown: string) =>
  `${padTo(what, WHAT_COLUMNS)}${padTo(acknowledged, TIME_COLUMNS)}${shown}`.trimEnd();
