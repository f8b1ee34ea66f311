import { describe, expect, it } from 'vitest';
import { readDueDate } from '../../../src/service/operations/loose-values.ts';
import { dueWords } from '../../../src/slack/card/card-text.ts';
import { slackDate } from '../../sandbox/pages/browser/text/slack-date.ts';

/** A Sunday. */
const NOW = new Date('2026-11-22T12:00:00Z');

function words(due: unknown, { now = NOW, timezone = 'UTC' } = {}) {
  const dueDate = readDueDate(due, timezone);
  return dueDate && dueWords(dueDate, now, false);
}
/** As someone in UTC reads it. */
const read = (text = '', now = NOW) =>
  text.replace(/<!date\^(\d+)\^([^|]*)\|([^>]*)>/, (_all, seconds, format, fallback) =>
    slackDate({ seconds: Number(seconds), format, fallback }, now),
  );

describe('the due date in words', () => {
  it.each([
    ['2026-11-22', 'due today'],
    ['2026-11-23', 'due tomorrow'],
    ['2026-11-28', 'due Sat, 28 Nov'],
    ['2026-11-29', 'due 29 Nov'],
    ['2027-01-03', 'due 3 Jan 2027'],
  ])('of %s: %s', (due, expected) => {
    expect(read(words(due))).toBe(expected);
  });

  it.each([
    ['2026-11-21', 'due yesterday'],
    ['2026-11-20', ':warning: *overdue since 20 Nov*'],
    ['22-Nov-2026 06:30 AM', ':warning: *overdue since today*'],
  ])('highlights what is overdue, once the day has ended everywhere: %s, %s', (due, expected) => {
    const now = new Date('2026-11-22T11:00:00Z');
    expect(read(words(due, { now }), now)).toBe(expected);
  });

  it('stays true as days pass, because Slack fills in “today”', () => {
    const later = new Date('2026-11-26T12:00:00Z');
    expect(read(words('2026-11-22'), later)).toBe('due Nov 22, 2026');
  });

  it('is the day in the service’s time zone', () => {
    expect(words('01-Dec-2026 01:00 AM', { timezone: 'Asia/Tokyo' })).toBe('due 1 Dec');
    expect(words('2026-12-01', { timezone: 'America/Los_Angeles' })).toBe('due 1 Dec');
  });
});
