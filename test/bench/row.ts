import type { Spread } from './rounds.ts';
import type { Stage } from './stage.ts';

/** The target of a figure, in the figure's own unit. */
type Target = { bound: 'at least' | 'at most'; value: number };

/** One figure of a row. */
export type Measured = {
  what: string;
  figure: Spread;
  unit: 'ratio' | 'per second' | 'ms' | 'µs' | 'MB' | 'calls';
  /** Absent if the figure only explains another. */
  target?: Target;
};

export type RowOptions = {
  stage: Stage;
  rounds: number;
  /** Repeats the same random choices. */
  seed: number;
  /** Reports progress. */
  say(progress: string): void;
};

export type Row = {
  /** The name used with `--only`. */
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
