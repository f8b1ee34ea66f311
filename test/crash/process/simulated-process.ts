import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { VirtualTime } from './virtual-time.ts';

/**
 * An app that runs inside this process as if it had one of its own. Whatever it begins, however
 * indirectly, belongs to it: timers, sockets, servers. So it can be ended at any moment, as by `kill -9`.
 */
export type SimulatedProcess = {
  name: string;
  /** A frozen process stands still, as by SIGSTOP; a dead one never does anything again. */
  state: 'running' | 'frozen' | 'dead';
  time: VirtualTime;
  servers: Set<Server>;
  sockets: Set<Socket>;
  /** Calls to the stand-ins that are under way, one object each. */
  openCalls: Set<object>;
};

const running = new AsyncLocalStorage<SimulatedProcess>();

/** The process that the code which asks belongs to; undefined for the test itself and the stand-ins. */
export const currentProcess = (): SimulatedProcess | undefined => running.getStore();

/** Runs work as that process. */
export const runAs = <Result>(process: SimulatedProcess, work: () => Result): Result =>
  running.run(process, work);

export function createProcess(name: string, time: VirtualTime): SimulatedProcess {
  return {
    ...{ name, time, state: 'running' },
    servers: new Set(),
    sockets: new Set(),
    openCalls: new Set(),
  };
}

/** Ends a process: nothing of it runs any more, and the system closes what it had open. */
export function endProcess(process: SimulatedProcess): void {
  process.state = 'dead';
  process.time.dropTimersOf(process);
  for (const server of process.servers) {
    server.close();
    server.closeAllConnections();
  }
  for (const socket of process.sockets) socket.destroy();
  // Real timers and handles that its code left keep this object for longer, but not the whole app.
  process.servers.clear();
  process.sockets.clear();
  process.openCalls.clear();
}

/** What a dead process waits for. */
export const never = (): Promise<never> => new Promise(() => undefined);
