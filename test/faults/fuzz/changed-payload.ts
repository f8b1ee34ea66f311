import { isObject, type JsonObject } from '../../stand-ins/slack/json.ts';
import type { Chance } from '../random.ts';
import { objectOf, setOwn, strangeKey, strangeValue } from './strange-values.ts';

type Place = { holder: JsonObject | unknown[]; key: string };

const MOST_CHANGES = 4;
const NEAR_THE_TOP = 2;

/** A real payload with one to four of its fields, at any depth, removed, replaced, duplicated, or renamed. */
export function changedPayload(chance: Chance, payload: JsonObject): JsonObject {
  const changed = structuredClone(payload);
  for (let left = 1 + chance.below(MOST_CHANGES); left > 0; left -= 1) {
    // The app reads top-level fields first, so half of the changes are made there.
    const levels = chance.is(0.5) ? NEAR_THE_TOP : Number.POSITIVE_INFINITY;
    const [first, ...others] = placesIn(changed, levels);
    if (first) change(chance, chance.pick([first, ...others]));
  }
  return changed;
}

function placesIn(holder: unknown, levels: number): Place[] {
  if (levels === 0 || !(isObject(holder) || Array.isArray(holder))) return [];
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder, key },
    ...placesIn(value, levels - 1),
  ]);
}

function change(chance: Chance, { holder, key }: Place): void {
  const [, value] = Object.entries(holder).find(([name]) => name === key) ?? [];
  chance.pick([
    () => remove(holder, key),
    () => setOwn(holder, key, strangeValue(chance)),
    () => setOwn(holder, key, [value, value]),
    () => setOwn(holder, key, JSON.stringify(value)),
    () => setOwn(holder, key, objectOf([[strangeKey(chance), value]])),
    () => add(chance, holder, value),
    () => {
      remove(holder, key);
      add(chance, holder, value);
    },
  ])();
}

function remove(holder: Place['holder'], key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** Under another key, or once more in a list. */
function add(chance: Chance, holder: Place['holder'], value: unknown): void {
  if (Array.isArray(holder)) holder.push(value, strangeValue(chance));
  else setOwn(holder, strangeKey(chance), value);
}
