import { describe, expect, it } from 'vitest';
import { slackDate } from '../../pages/browser/text/slack-date.ts';

const NOW = new Date('2026-03-20T12:00:00Z');
const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;
const shown = (format: string, offset = 0) =>
  slackDate({ seconds: NOW.getTime() / 1_000 + offset, format, fallback: 'then' }, NOW);

describe('dates in the pages', () => {
  it.each([
    [-20, 'just now'],
    [-MINUTE_S, '1 minute ago'],
    [-3 * 60 * MINUTE_S, '3 hours ago'],
    [-8 * DAY_S, '1 week ago'],
    [-800 * DAY_S, '2 years ago'],
    [2 * DAY_S, 'in 2 days'],
  ])('say how long ago it was: %i s is %s', (offset, words) => {
    expect(shown('{ago}', offset)).toBe(words);
  });

  it('know every token that Slack documents, and keep any other', () => {
    const tokens =
      'date_num date_slash date_long date_long_full date_long_pretty date date_pretty date_short date_short_pretty time time_secs ago';
    for (const token of tokens.split(' ')) expect(shown(`{${token}}`)).not.toContain('{');
    expect(shown('at {nonsense}')).toBe('at {nonsense}');
    expect(shown('{date_pretty}', DAY_S)).toBe('tomorrow');
  });

  it('show the fallback for a time that isn’t one', () => {
    expect(slackDate({ seconds: Number.NaN, format: '{ago}', fallback: 'then' }, NOW)).toBe('then');
  });
});
