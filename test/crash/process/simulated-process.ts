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
  /** Its `Math.random`. */
  random: () => number;
  servers: Set<Server>;
  sockets: Set<Socket>;
  /** Deliveries from Slack that it has not answered, one object each. */
  arrived: Set<object>;
  /** Open calls to the stand-ins, one object each. */
  openCalls: Set<object>;
  /** What other threads and Postgres are doing for it, one object each. */
  outsideWork: Set<object>;
};

const running = new AsyncLocalStorage<SimulatedProcess>();

/** The process that the calling code belongs to; undefined in the test itself and the stand-ins. */
export const currentProcess = (): SimulatedProcess | undefined => running.getStore();

let outsideEvents = 0;

/** To be called when something arrives or ends that this thread does not do itself. */
export function noteOutsideEvent(): void {
  outsideEvents += 1;
}

/** How often that has happened. */
export const outsideEventsSoFar = (): number => outsideEvents;

/** Runs work as part of a process. */
export const runAs = <Result>(process: SimulatedProcess, work: () => Result): Result =>
  running.run(process, work);

export function createProcess({
  name,
  time,
  random,
}: Pick<SimulatedProcess, 'name' | 'time' | 'random'>): SimulatedProcess {
  return {
    ...{ name, time, random, state: 'running' },
    servers: new Set(),
    sockets: new Set(),
    arrived: new Set(),
    openCalls: new Set(),
    outsideWork: new Set(),
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
  process.arrived.clear();
  process.openCalls.clear();
  process.outsideWork.clear();
}

/** What the code of a dead process waits for. */
export const never = (): Promise<never> => new Promise(() => undefined);
