import type { Look } from '../../terminal/look.ts';
import { createPaint } from '../../terminal/paint.ts';

const NAMES = new Map([
  ['U1', '@Ann'],
  ['C1', '#general'],
]);

/** The look in these tests: without colors, 40 columns, in UTC. */
export const LOOK: Look = {
  paint: createPaint(1),
  columns: 40,
  nameOf: (id) => NAMES.get(id) ?? id,
  timeZone: 'UTC',
};

export const COLORFUL: Look = { ...LOOK, paint: createPaint(24) };
