import type { JsonObject } from '../json.ts';
import { textOf } from '../views/elements.ts';

/** An option by its value, since two options may have the same text. */
export interface OptionRef {
  value: string;
}

/** The option with that text or value. Throws if there is none, listing what exists. */
export function choose(options: JsonObject[], wanted: string | OptionRef): JsonObject {
  const found =
    typeof wanted === 'string'
      ? options.find((option) => textOf(option.text) === wanted)
      : options.find((option) => option.value === wanted.value);
  if (found) return found;
  const there = options.map((option) => textOf(option.text)).join(', ');
  const name = typeof wanted === 'string' ? wanted : wanted.value;
  throw new Error(`There is no option "${name}", only: ${there || 'none'}`);
}
