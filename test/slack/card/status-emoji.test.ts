import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statusEmoji } from '../../../src/slack/card/status-emoji.ts';
import { STATUSES } from '../../stand-ins/design-service/cards.ts';

it.each([
  [STATUSES.draft.color, '⚪'],
  [STATUSES.toDo.color, '🔵'],
  [STATUSES.inProgress.color, '🟠'],
  [STATUSES.inReview.color, '🟣'],
  [STATUSES.revision.color, '🔴'],
  [STATUSES.done.color, '🟢'],
  ['#ff0033', '🔴'],
  ['#FFDD00', '🟡'],
  ['#6b3e0a', '🟤'],
  ['#000000', '⚫'],
  ['#ffffff', '⚪'],
])('%s is %s', (color, emoji) => {
  expect(statusEmoji({ name: 'x', color })).toBe(emoji);
});

it.each([undefined, '', 'red', '#fff', '#12345g'])('%s has none', (color) => {
  expect(statusEmoji({ name: 'x', color })).toBeUndefined();
});

it('every color has one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (rgb) => {
      const color = `#${rgb.toString(16).padStart(6, '0')}`;
      expect(statusEmoji({ name: 'x', color })).toMatch(/^\p{Extended_Pictographic}$/u);
    }),
  );
});
