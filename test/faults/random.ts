import { seededRandom } from '../stand-ins/design-service/faults.ts';

/** Random choices that repeat for the same seed. */
export type Chance = ReturnType<typeof chanceOf>;

export function chanceOf(seed: number) {
  const next = seededRandom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    /** From 0 up to 1. */
    next,
    /** An integer from 0 up to below `limit`. */
    below,
    /** True with that probability. */
    is: (probability: number) => next() < probability,
    pick: <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0],
  };
}
