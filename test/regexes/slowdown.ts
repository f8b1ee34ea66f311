import { check } from 'recheck';
import type { Pattern } from './patterns-in.ts';

/** Only steps are limited: with recheck's time limits, patterns look slow on a busy machine. */
const NO_CLOCK = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
};

/** @returns how the time grows and for which input; undefined if it is linear for every input */
export async function slowdownOf({ source, flags }: Pattern): Promise<string | undefined> {
  const checked = await check(source, flags, NO_CLOCK);
  if (checked.status === 'safe') return undefined;
  if (checked.status === 'unknown') return `not checked: ${checked.error.kind}`;
  return `${checked.complexity.summary} for ${checked.attack.pattern}`;
}
