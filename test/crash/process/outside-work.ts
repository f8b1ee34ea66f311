import pg from 'pg';
import { currentProcess, noteOutsideEvent } from './simulated-process.ts';

const ENCRYPTION = ['importKey', 'encrypt', 'decrypt', 'digest'];

/**
 * Starts to track what simulated processes have begun outside of this thread and what takes real time: connections to
 * Postgres, statements there, and encryption. A run waits for it before it chooses what comes next.
 */
export function observeOutsideWork(): void {
  for (const name of ['connect', 'query']) observe(pg.Client.prototype, name);
  for (const name of ENCRYPTION) observe(SubtleCrypto.prototype, name);
}

/** For a method that returns a promise, or takes a callback as its last parameter. */
function observe(owner: object, name: string): void {
  const method: (...given: unknown[]) => unknown = Reflect.get(owner, name);
  Reflect.set(owner, name, function begin(this: unknown, ...given: unknown[]) {
    const process = currentProcess();
    if (!process) return Reflect.apply(method, this, given);
    const work = {};
    process.outsideWork.add(work);
    const end = () => {
      process.outsideWork.delete(work);
      noteOutsideEvent();
    };
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const ending = (...results: unknown[]) => {
        end();
        return callback(...results);
      };
      return Reflect.apply(method, this, [...given.slice(0, -1), ending]);
    }
    const result = Reflect.apply(method, this, given);
    Promise.resolve(result).then(end, end);
    return result;
  });
}
