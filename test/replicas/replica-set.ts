import type { AppProcess } from '../faults/app-process.ts';

/** Several processes as one: whatever is done to it is done to each of them. */
export function asOneProcess(replicas: readonly AppProcess[]): AppProcess {
  const [first] = replicas;
  if (!first) throw new Error('no replicas');
  const ended = Promise.all(replicas.map((replica) => replica.ended)).then(
    (ends) => ends.find(({ code }) => code !== 0) ?? { code: 0, signal: null },
  );
  return {
    pid: first.pid,
    ready: Promise.all(replicas.map(({ ready }) => ready)).then(() => first.ready),
    get logLines() {
      return replicas.flatMap(({ logLines }) => [...logLines]);
    },
    ended,
    hasEnded: () => replicas.every((replica) => replica.hasEnded()),
    async kill() {
      await Promise.all(replicas.map((replica) => replica.kill()));
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      return ended;
    },
    async setClockOffset(ms) {
      await Promise.all(replicas.map((replica) => replica.setClockOffset(ms)));
    },
  };
}
