import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import nodeTimers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { currentProcess, type SimulatedProcess } from './simulated-process.ts';

/**
 * The clock of simulated processes. It stops while they work, and jumps to the next timer when all of them
 * wait.
 *
 * Libraries for this, including Node's own, can't tell whose timer is whose. Here the timers of a killed
 * process are dropped, and those of a frozen one run when it wakes.
 */
export type VirtualTime = ReturnType<typeof createVirtualTime>;

/** When runs begin, by the clocks of all processes and of the database. */
export const STARTS_AT = Date.UTC(2026, 2, 2, 9);

export function createVirtualTime(startsAt: number) {
  let now = startsAt;
  const timers = new Set<Timer>();

  function next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.process.state !== 'running') continue;
      // Timers for the same time run in the order in which they were set, as in Node.
      if (!first || timer.dueAt < first.dueAt) first = timer;
    }
    return first;
  }

  return {
    now: () => now,
    /** Moves the clock to the next timer and runs it, or to `until` if none is due before. False if neither is. */
    runNext(until?: number) {
      const timer = next();
      if (until !== undefined && (!timer || timer.dueAt > until)) {
        now = Math.max(now, until);
        return true;
      }
      if (!timer) return false;
      now = Math.max(now, timer.dueAt);
      timer.fire();
      return true;
    },
    add(timer: Timer) {
      // It runs after the others for the same time, even if it was set before.
      timers.delete(timer);
      timers.add(timer);
    },
    remove: (timer: Timer) => void timers.delete(timer),
    dropTimersOf(process: SimulatedProcess) {
      for (const timer of timers) if (timer.process === process) timers.delete(timer);
    },
  };
}

type Callback = (...values: unknown[]) => void;

/** What `setTimeout` and `setInterval` return in a simulated process. */
class Timer {
  readonly process: SimulatedProcess;
  dueAt = 0;
  readonly #run: () => void;
  readonly #delayMs: number;
  readonly #isRepeated: boolean;

  constructor(process: SimulatedProcess, run: () => void, delayMs: unknown, isRepeated: boolean) {
    this.process = process;
    this.#run = AsyncLocalStorage.bind(run);
    // At least 1 ms, as in Node.
    this.#delayMs = Math.max(Number(delayMs) || 1, 1);
    this.#isRepeated = isRepeated;
    this.refresh();
  }

  fire(): void {
    if (this.#isRepeated) this.refresh();
    else this.close();
    this.#run();
  }

  refresh(): this {
    const { time, state } = this.process;
    this.dueAt = time.now() + this.#delayMs;
    if (state !== 'dead') time.add(this);
    return this;
  }

  close(): this {
    this.process.time.remove(this);
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

const real = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  sleep: timersPromises.setTimeout,
};
const realNow = performance.now.bind(performance);
const realRandom = Math.random;

const timerSetter =
  (isRepeated: boolean) =>
  (callback: Callback, delayMs?: number, ...values: unknown[]) => {
    const process = currentProcess();
    const set = isRepeated ? real.setInterval : real.setTimeout;
    if (!process) return set(callback, delayMs, ...values);
    return new Timer(process, () => callback(...values), delayMs, isRepeated);
  };

function clearTimer(timer: unknown): void {
  if (timer instanceof Timer) timer.close();
  else real.clearTimeout(timer as NodeJS.Timeout);
}

type SleepOptions = { signal?: AbortSignal; ref?: boolean };

function sleep<Value>(
  delayMs?: number,
  value?: Value,
  options: SleepOptions = {},
): Promise<Value | undefined> {
  const process = currentProcess();
  if (!process) return real.sleep(delayMs, value, options);
  const { signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    };
    const timer = new Timer(process, end, delayMs, false);
    const abort = () => {
      timer.close();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Replaces the timers of simulated processes; all other code keeps the real ones. */
export function installVirtualTime(): void {
  const replaced = {
    setTimeout: timerSetter(false),
    setInterval: timerSetter(true),
    clearTimeout: clearTimer,
    clearInterval: clearTimer,
  };
  for (const [name, replacement] of Object.entries(replaced)) {
    Reflect.set(globalThis, name, replacement);
    Reflect.set(nodeTimers, name, replacement);
  }
  Reflect.set(timersPromises, 'setTimeout', sleep);
  Reflect.set(performance, 'now', () => currentProcess()?.time.now() ?? realNow());
  Reflect.set(Math, 'random', () => (currentProcess()?.random ?? realRandom)());
  // Updates the named exports of `node:timers/promises` too.
  syncBuiltinESMExports();
}
