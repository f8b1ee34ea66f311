import { AsyncLocalStorage } from 'node:async_hooks';
import type { AppProcess } from '../faults/app-process.ts';

export type Deployment = {
  /** `postgres://…` without a database name. */
  postgres: string;
  replicas: number;
};

const current = new AsyncLocalStorage<Deployment>();

/** Faults in `run` use that many replicas on Postgres instead of one process on SQLite. */
export const onReplicas = <Result>(deployment: Deployment, run: () => Promise<Result>) =>
  current.run(deployment, run);

export const currentDeployment = (): Deployment | undefined => current.getStore();

/** Several processes as one: whatever is done to it is done to each of them. */
export function asOneProcess(replicas: readonly AppProcess[]): AppProcess {
  const [first] = replicas;
  if (!first) throw new Error('no replicas');
  const all = <Result>(work: (replica: AppProcess) => Promise<Result>) =>
    Promise.all(replicas.map(work));
  const ended = all((replica) => replica.ended).then(
    (ends) => ends.find(({ code }) => code !== 0) ?? { code: 0, signal: null },
  );
  return {
    pid: first.pid,
    ready: all(({ ready }) => ready).then(() => first.ready),
    get logLines() {
      return replicas.flatMap(({ logLines }) => [...logLines]);
    },
    ended,
    hasEnded: () => replicas.every((replica) => replica.hasEnded()),
    kill: async () => void (await all((replica) => replica.kill())),
    async stop() {
      await all((replica) => replica.stop());
      return ended;
    },
    setClockOffset: async (ms) => void (await all((replica) => replica.setClockOffset(ms))),
  };
}
