import type { Spread } from './rounds.ts';
import type { Stage } from './stage.ts';

/** What a figure is held against, in the figure's own unit. */
type Target = { bound: 'at least' | 'at most'; value: number };

/** One figure of a row. */
export type Measured = {
  what: string;
  figure: Spread;
  unit: 'ratio' | 'per second' | 'ms' | 'µs' | 'MB' | 'calls';
  /** None where the figure only explains another. */
  target?: Target;
};

export type RowOptions = {
  stage: Stage;
  rounds: number;
  /** Makes chance repeat itself. */
  seed: number;
  /** Tells whoever watches how far it is. */
  say(progress: string): void;
};

/** One line of the table of speed. */
export type Row = {
  /** What `--only` names. */
  id: string;
  title: string;
  /** How it was measured, and what keeps the figure from being better; for docs/performance.md. */
  how: string;
  limit: string;
  run(options: RowOptions): Promise<Measured[]>;
};

export function holds({ figure, target }: Measured): boolean {
  if (!target) return true;
  return target.bound === 'at least'
    ? figure.median >= target.value
    : figure.median <= target.value;
}
