import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { VirtualTime } from './virtual-time.ts';

/**
 * An app that runs inside this process as if it had its own. Every timer, socket and server that its code
 * creates is tracked, so that it can be ended at any moment, as by `kill -9`.
 */
export type SimulatedProcess = {
  name: string;
  /** A frozen process is stopped as by SIGSTOP; a dead one never runs again. */
  state: 'running' | 'frozen' | 'dead';
  time: VirtualTime;
  servers: Set<Server>;
  sockets: Set<Socket>;
  /** Open calls to the stand-ins, one object each. */
  openCalls: Set<object>;
};

const running = new AsyncLocalStorage<SimulatedProcess>();

/** The process that the calling code belongs to; undefined in the test itself and the stand-ins. */
export const currentProcess = (): SimulatedProcess | undefined => running.getStore();

/** Runs work as part of a process. */
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

/** Ends a process: its code stops, and its sockets and servers are closed. */
export function endProcess(process: SimulatedProcess): void {
  process.state = 'dead';
  process.time.dropTimersOf(process);
  for (const server of process.servers) {
    server.close();
    server.closeAllConnections();
  }
  for (const socket of process.sockets) socket.destroy();
  // Real timers of its libraries keep this object in memory for seconds; they must not keep the whole app.
  process.servers.clear();
  process.sockets.clear();
  process.openCalls.clear();
}

/** What the code of a dead process waits for. */
export const never = (): Promise<never> => new Promise(() => undefined);
