import type { Paint } from './paint.ts';

/** How to draw, and for whom. */
export type Look = {
  paint: Paint;
  /** Columns that a line may take. */
  columns: number;
  /** The name that people see for the ID of a person or channel, for example `@Ann` or `#general`. */
  nameOf: (id: string) => string;
  /** IANA name; by default the machine's own. */
  timeZone?: string | undefined;
};

/** The same with fewer columns, for nested parts. */
export const narrower = (look: Look, by: number): Look => ({
  ...look,
  columns: look.columns - by,
});
