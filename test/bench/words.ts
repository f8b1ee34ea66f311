import type { Measured } from './row.ts';

/** `1.09 (1.02–1.15)`: the median over the rounds, with the lowest and highest. */
export function figureAsText({ figure, unit }: Measured): string {
  const { median, lowest, highest } = figure;
  const [middle, from, to] = [median, lowest, highest].map((value) => number(value, unit));
  return `${middle}${UNITS[unit]} (${from}–${to})`;
}

/** `at least 0.9` */
export function targetAsText({ target, unit }: Measured): string {
  return target ? `${target.bound} ${number(target.value, unit)}${UNITS[unit]}` : '';
}

const UNITS = { ratio: '', 'per second': '/s', ms: ' ms', µs: ' µs', MB: ' MB', calls: ' calls' };
const DIGITS = { ratio: 2, 'per second': 0, ms: 1, µs: 0, MB: 1, calls: 0 };

function number(value: number, unit: Measured['unit']): string {
  return value.toLocaleString('en', {
    minimumFractionDigits: unit === 'ratio' ? 2 : 0,
    maximumFractionDigits: DIGITS[unit],
  });
}
