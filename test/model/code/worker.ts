import { AsyncLocalStorage } from 'node:async_hooks';
import type { Finding } from '../protocol/search.ts';
import type { Answer } from '../protocol/sending.ts';

/** Where the code stops until the model takes its next step. */
export type Gate = 'beginSending' | 'takeGrant' | 'call' | 'recordOutcome' | 'endSending';

/** One job under way in the real code, which stops at every gate. */
export type CodeWorker = {
  /** Undefined while no job is under way. */
  waitsAt: Gate | undefined;
  /** After its call, only sending stops at gates. */
  phase: 'checking' | 'sending' | 'recorded';
  /** The outcome of its next `POST /card`. */
  answer: Answer;
  /** What it sees in the next listing. */
  finding: Finding;
  stopAt(gate: Gate): Promise<void>;
  /** Runs work until it stops at a gate or has ended. */
  run(work: () => Promise<unknown>): Promise<void>;
  /** Lets it go on until it stops again or has ended. */
  goOn(): Promise<void>;
};

const current = new AsyncLocalStorage<CodeWorker>();

/** The worker that runs the calling code. */
export const currentWorker = (): CodeWorker | undefined => current.getStore();

/** Waits until the worker may go on. Code outside of workers never waits. */
export const stopAt = async (gate: Gate): Promise<void> => current.getStore()?.stopAt(gate);

export function createWorker(): CodeWorker {
  let stopped = Promise.withResolvers<void>();
  let release: () => void = () => undefined;
  const worker: CodeWorker = {
    waitsAt: undefined,
    phase: 'checking',
    answer: 'done',
    finding: 'finds nothing yet',
    stopAt(gate) {
      const { promise, resolve } = Promise.withResolvers<void>();
      release = resolve;
      worker.waitsAt = gate;
      stopped.resolve();
      return promise;
    },
    async run(work) {
      stopped = Promise.withResolvers();
      worker.phase = 'checking';
      const ending = current.run(worker, work).then(() => {
        worker.waitsAt = undefined;
        stopped.resolve();
      });
      ending.catch((error) => stopped.reject(error));
      await stopped.promise;
    },
    async goOn() {
      stopped = Promise.withResolvers();
      worker.waitsAt = undefined;
      release();
      await stopped.promise;
    },
  };
  return worker;
}
