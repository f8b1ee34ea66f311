import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMoment } from '../../src/service/operations/loose-values.ts';

test.each([
  [' 5-sep-2026  1:30 pm ', 'Asia/Kolkata', '2026-09-05T08:00:00.000Z'],
  ['05-Jul-2026 01:30 PM', 'America/New_York', '2026-07-05T17:30:00.000Z'],
])('%j in %s is %s', (text, timezone, expected) => {
  expect(readMoment(text, timezone)?.toISOString()).toBe(expected);
});

test.each([
  '',
  'tomorrow',
  '31-Feb-2026 01:30 PM',
  '05-Foo-2026 01:30 PM',
  '05-Jan-2026 13:30 PM',
  '05-Jan-2026 00:30 AM',
])('%j is not a time', (text) => {
  expect(readMoment(text, 'UTC')).toBeUndefined();
});

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

test('every minute in the service’s format is read back', () => {
  const minutes = fc.integer({ min: 0, max: Date.UTC(2100, 0) / 60_000 });
  fc.assert(
    fc.property(minutes, (minute) => {
      const moment = new Date(minute * 60_000);
      const two = (value: number) => String(value).padStart(2, '0');
      const hours = moment.getUTCHours();
      const day = `${two(moment.getUTCDate())}-${MONTHS[moment.getUTCMonth()]}-${moment.getUTCFullYear()}`;
      const time = `${two(hours % 12 || 12)}:${two(moment.getUTCMinutes())} ${hours < 12 ? 'AM' : 'PM'}`;
      expect(readMoment(`${day} ${time}`, 'UTC')).toEqual(moment);
    }),
  );
});

test('any value is a valid time or none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.double(), fc.string()), (value) => {
      const moment = readMoment(value, 'Europe/Berlin');
      expect(moment === undefined || Number.isFinite(moment.getTime())).toBe(true);
    }),
  );
});
