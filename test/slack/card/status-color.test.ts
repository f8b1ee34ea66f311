import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statusEmoji } from '../../../src/slack/card/status-color.ts';
import { STATUSES } from '../../stand-ins/design-service/cards.ts';

it.each([
  [STATUSES.draft.color, ':white_circle:'],
  [STATUSES.toDo.color, ':large_blue_circle:'],
  [STATUSES.inProgress.color, ':large_orange_circle:'],
  [STATUSES.inReview.color, ':large_purple_circle:'],
  [STATUSES.revision.color, ':red_circle:'],
  [STATUSES.done.color, ':large_green_circle:'],
  ['#ff0033', ':red_circle:'],
  ['#FFDD00', ':large_yellow_circle:'],
  ['#6b3e0a', ':large_brown_circle:'],
  ['#000000', ':black_circle:'],
  ['#ffffff', ':white_circle:'],
])('%s is %s', (color, emoji) => {
  expect(statusEmoji({ color })).toBe(emoji);
});

it.each([undefined, '', 'red', '#fff', '#12345g'])('%s has none', (color) => {
  expect(statusEmoji({ color })).toBeUndefined();
});

it('every color has one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (rgb) => {
      const color = `#${rgb.toString(16).padStart(6, '0')}`;
      expect(statusEmoji({ color })).toMatch(/^:\w+_circle:$/);
    }),
  );
});
