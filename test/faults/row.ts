export type Figures = {
  /** How many inputs had which outcome, in the style of Jepsen. */
  counts: Record<string, number>;
  /** The row's own measurements, with their units. */
  measured: Record<string, string>;
  holds: boolean;
};

export type RowOptions = {
  seed: number;
  /** How often the fault is caused; each row defines what one run is. */
  runs: number;
  say(progress: string): void;
};

export type Row = {
  row: number;
  title: string;
  /** Which safeguard was removed, and what this row then showed. */
  mutation: string;
  /** `full` by default, `quick` for the tests. */
  runs: { full: number; quick: number };
  run(options: RowOptions): Promise<Figures>;
};

/** `ok 120 · lost 0` and `p99 90 ms · kills 12`. */
export function inWords({ counts, measured }: Pick<Figures, 'counts' | 'measured'>): string[] {
  return [counts, measured].map((figures) =>
    Object.entries(figures)
      .map(([name, figure]) => `${name} ${figure}`)
      .join(' · '),
  );
}

/** The value that the given share (0 to 1) of the values doesn't exceed; NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const p95 = (values: readonly number[]): number => quantile(values, 0.95);
export const p99 = (values: readonly number[]): number => quantile(values, 0.99);

/** `12 ms calm, 15 ms flooded`: the 95th percentile of both. */
export const bothP95 = (calm: readonly number[], other: readonly number[], when: string): string =>
  `${inMs(p95(calm))} calm, ${inMs(p95(other))} ${when}`;

/** `12 ms`, or `–` if nothing was measured. */
export const inMs = (ms: number): string => (Number.isFinite(ms) ? `${Math.round(ms)} ms` : '–');

export const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);
