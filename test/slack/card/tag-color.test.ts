import { expect, it } from 'vitest';
import { nearestTagColor } from '../../../src/slack/card/status-color.ts';

it.each([
  ['#e5484d', 'red'],
  ['#f5a623', 'yellow'],
  ['#30a46c', 'green'],
  ['#5b6cff', 'blue'],
  ['#9aa0a6', 'gray'],
  ['#ffffff', 'gray'],
  ['#000000', 'gray'],
  ['#a259ff', 'blue'],
  ['#ff00aa', 'red'],
  ['green', 'gray'],
  [undefined, 'gray'],
])('%s is shown as %s', (color, tag) => {
  expect(nearestTagColor(color)).toBe(tag);
});
