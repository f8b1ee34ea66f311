import { type Check, refuse } from './check.ts';
import { flag } from './scalar.ts';

/** "Only one element can be set to true", according to the reference of `focus_on_load`. */
export const focusOnLoad: Check = (value, at, inspection) => {
  flag(value, at, inspection);
  if (value !== true) return;
  inspection.focused += 1;
  if (inspection.focused > 1) refuse(inspection, 'only one element can be focused on load', at);
};
