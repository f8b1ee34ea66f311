import { seededRandom } from '../stand-ins/design-service/faults.ts';

/** Random choices that repeat for the same seed. */
export type Chance = {
  /** From 0 up to 1. */
  next(): number;
  /** An integer from 0 up to below `limit`. */
  below(limit: number): number;
  /** True with that probability. */
  is(probability: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
};

export function chanceOf(seed: number): Chance {
  const next = seededRandom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    is: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
  };
}
