import { median } from '../faults/row.ts';
import type { Stage } from './stage.ts';

/** The target of a figure, in the figure's own unit. */
type Target = { bound: 'at least' | 'at most'; value: number };

export type Measured = {
  what: string;
  /** The median over all rounds, with the lowest and highest. */
  figure: { median: number; lowest: number; highest: number };
  unit: 'ratio' | 'per second' | 'ms' | 'MB';
  /** Absent if the figure only explains another. */
  target: Target | undefined;
};

export const figure = (
  what: string,
  unit: Measured['unit'],
  rounds: readonly number[],
  target?: Target,
): Measured => ({
  what,
  figure: { median: median(rounds), lowest: Math.min(...rounds), highest: Math.max(...rounds) },
  unit,
  target,
});
export const atMost = (value: number): Target => ({ bound: 'at most', value });
export const atLeast = (value: number): Target => ({ bound: 'at least', value });

export type RowOptions = {
  stage: Stage;
  rounds: number;
  say(progress: string): void;
};

export type Row = {
  id: string;
  title: string;
  how: string;
  run(options: RowOptions): Promise<Measured[]>;
};

export function holds({ figure, target }: Measured): boolean {
  if (!target) return true;
  return target.bound === 'at least'
    ? figure.median >= target.value
    : figure.median <= target.value;
}

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

const UNITS = { ratio: '', 'per second': '/s', ms: ' ms', MB: ' MB' };
const DIGITS = { ratio: 2, 'per second': 0, ms: 1, MB: 1 };

function number(value: number, unit: Measured['unit']): string {
  return value.toLocaleString('en', {
    minimumFractionDigits: unit === 'ratio' ? 2 : 0,
    maximumFractionDigits: DIGITS[unit],
  });
}
