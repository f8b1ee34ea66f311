import type { Paint } from './paint.ts';

/** How things are drawn, and for whom. */
export type Look = {
  paint: Paint;
  /** Columns that a line may take. */
  columns: number;
  /** What people read for the id of a person or channel, for example `@Ann` or `#general`. */
  nameOf: (id: string) => string;
  /** IANA name; the machine's own where it is left out. */
  timeZone?: string | undefined;
};

/** The same with fewer columns, for what is drawn inside of something. */
export const narrower = (look: Look, by: number): Look => ({
  ...look,
  columns: look.columns - by,
});
