import { type Check, refuse } from './check.ts';
import { text } from './scalar.ts';

const DATE_CHARS = 10;
const dateText = text(DATE_CHARS, DATE_CHARS, /^\d{4}-\d{2}-\d{2}$/);

/** A calendar date as `YYYY-MM-DD`; 30 February is invalid. */
export const isDate: Check = (value, at, inspection) => {
  const before = inspection.problems.length;
  dateText(value, at, inspection);
  if (inspection.problems.length > before) return;
  const day = new Date(`${value}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(String(value))) {
    refuse(inspection, 'must provide a valid date', at);
  }
};
