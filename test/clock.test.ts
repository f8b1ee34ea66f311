import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CLOCKS_DIFFER_MS, forwardOnly, watchForSetBack } from '../src/clock.ts';

/** Clock steps in ms; some go back. */
const steps = fc.array(fc.integer({ min: -2 * CLOCKS_DIFFER_MS, max: 2 * CLOCKS_DIFFER_MS }));

it('a forward-only clock counts the time that passes and ignores steps back', () => {
  fc.assert(
    fc.property(steps, (moves) => {
      let moment = 1_000_000_000;
      const clock = forwardOnly(() => new Date(moment));
      const began = clock();
      for (const move of moves) {
        moment += move;
        clock();
      }
      const passed = moves.filter((move) => move > 0).reduce((sum, move) => sum + move, 0);
      expect(clock() - began).toBe(passed);
    }),
  );
});

it('a clock set back by more than a minute is noticed once, in one step or many', () => {
  fc.assert(
    fc.property(steps, (moves) => {
      let moment = 1_000_000_000;
      const isSetBack = watchForSetBack(() => new Date(moment));
      expect(isSetBack()).toBe(false);
      let latest = moment;
      for (const move of moves) {
        moment += move;
        const expected = moment < latest - CLOCKS_DIFFER_MS;
        latest = expected ? moment : Math.max(latest, moment);
        expect([isSetBack(), isSetBack()]).toEqual([expected, false]);
      }
    }),
  );
});
