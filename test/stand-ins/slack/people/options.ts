import type { JsonObject } from '../json.ts';
import { textOf } from '../views/elements.ts';

/** An option by its value: two options may read the same. */
export interface OptionRef {
  value: string;
}

/** The option of that text or value. Throws where none is offered, naming what there is. */
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
