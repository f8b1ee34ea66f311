/** Conditions that people and the test wait for, in virtual time. */
export type Waiters = {
  /** @returns whether the condition became true in time */
  until(isSo: Condition, patienceMs: number): Promise<boolean>;
  /** Ends the wait of one whose condition is true or whose time is over. @returns false if there is none */
  wakeOne(): Promise<boolean>;
};

export type Condition = () => boolean | Promise<boolean>;

type Waiter = { isSo: Condition; until: number; resolve: (isSo: boolean) => void };

export function createWaiters(now: () => number): Waiters {
  const waiting = new Set<Waiter>();
  return {
    until: (isSo, patienceMs) =>
      new Promise((resolve) => {
        waiting.add({ isSo, until: now() + patienceMs, resolve });
      }),
    async wakeOne() {
      for (const waiter of waiting) {
        const isSo = await waiter.isSo();
        if (!isSo && now() < waiter.until) continue;
        waiting.delete(waiter);
        waiter.resolve(isSo);
        return true;
      }
      return false;
    },
  };
}
