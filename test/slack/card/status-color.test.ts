import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statusEmoji, tagColor } from '../../../src/slack/card/card-text.ts';
import { STATUSES } from '../../stand-ins/design-service/cards.ts';

it.each([
  [STATUSES.draft.color, ':white_circle:', 'gray'],
  [STATUSES.toDo.color, ':large_blue_circle:', 'blue'],
  [STATUSES.inProgress.color, ':large_orange_circle:', 'yellow'],
  [STATUSES.inReview.color, ':large_purple_circle:', 'blue'],
  [STATUSES.revision.color, ':red_circle:', 'red'],
  [STATUSES.done.color, ':large_green_circle:', 'green'],
  ['#ff0033', ':red_circle:', 'red'],
  ['#FFDD00', ':large_yellow_circle:', 'yellow'],
  ['#6b3e0a', ':large_brown_circle:', 'yellow'],
  ['#000000', ':black_circle:', 'gray'],
  ['#ffffff', ':white_circle:', 'gray'],
])('%s is %s, and a %s tag', (color, emoji, tag) => {
  expect([statusEmoji(color), tagColor(color)]).toEqual([emoji, tag]);
});

it.each([undefined, '', 'red', '#fff', '#12345g'])('%s has no circle, and a gray tag', (color) => {
  expect([statusEmoji(color), tagColor(color)]).toEqual([undefined, 'gray']);
});

it('every color has one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (rgb) => {
      expect(statusEmoji(`#${rgb.toString(16).padStart(6, '0')}`)).toMatch(/^:\w+_circle:$/);
    }),
  );
});
