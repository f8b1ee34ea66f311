import { expect, it, onTestFinished } from 'vitest';
import { newBudget } from '../../src/service/budget/budget.ts';
import { createGates } from '../../src/service/budget/gate.ts';
import { DesignApiError } from '../../src/service/errors.ts';
import { createBudgetStore } from '../../src/store/budgets.ts';
import { openDatabase } from '../../src/store/database.ts';
import { answerWith, unobserved } from '../service/budget/served-keys.ts';
import { databaseForTest } from './database-for-test.ts';

const LIMIT = 20;
const MINUTE_MS = 60_000;
/** A minute, and the margin for calls that arrive late. */
const WINDOW_MS = 64_000;

/** A key's gate in replicas whose clocks are ahead by so much, in ms, or behind. */
async function replicas(ahead: readonly number[]) {
  const url = await databaseForTest({ isMigrated: true });
  const openStore = () => {
    const db = openDatabase({ url });
    onTestFinished(() => db.destroy());
    return createBudgetStore(db);
  };
  const full = { ...newBudget(), limit: LIMIT };
  await openStore().replace('key', undefined, full, { now: new Date(), aheadSeconds: 0 });
  return ahead.map((ms) => {
    const clock = { ahead: ms };
    const now = () => new Date(Date.now() + clock.ahead);
    const gate = createGates({ store: openStore(), now, observer: unobserved }).of('key');
    /** Sends a request, which never waits in memory. @returns for how long it has to wait, in ms; 0 if it was sent */
    async function send(): Promise<number> {
      try {
        await gate.pass(
          { operation: 'createCard', method: 'POST', callClass: 'person' },
          async () => answerWith(200),
        );
        return 0;
      } catch (error) {
        if (!(error instanceof DesignApiError) || !error.retryAt) throw error;
        return error.retryAt.getTime() - now().getTime();
      }
    }
    return { clock, send };
  });
}

it('replicas whose clocks differ by an hour make no more calls together than one', async () => {
  const all = await replicas([0, 60 * MINUTE_MS, -60 * MINUTE_MS]);
  const waits: number[] = [];
  for (let round = 0; round < LIMIT; round += 1) {
    for (const { send } of all) waits.push(await send());
  }
  const sent = waits.filter((wait) => wait === 0).length;
  expect(sent).toBeLessThanOrEqual(LIMIT);
  // People get most of the calls.
  expect(sent).toBeGreaterThan(LIMIT / 2);
  // Each is told when to come back by its own clock.
  expect(Math.max(...waits)).toBeLessThan(2 * WINDOW_MS);
});

it('a replica whose clock jumps makes no more calls than before', async () => {
  const [jumping, other] = await replicas([0, 0]);
  if (!jumping || !other) throw new Error('There are two.');
  const waits: number[] = [];
  for (let round = 0; round < 2 * LIMIT; round += 1) {
    jumping.clock.ahead += round % 2 === 0 ? 2 * MINUTE_MS : -2 * MINUTE_MS;
    waits.push(await jumping.send(), await other.send());
  }
  const sent = waits.filter((wait) => wait === 0).length;
  expect(sent).toBeLessThanOrEqual(LIMIT);
  expect(sent).toBeGreaterThan(LIMIT / 2);
});
