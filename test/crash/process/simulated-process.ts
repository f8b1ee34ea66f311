import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import pg from 'pg';
import type { VirtualTime } from './virtual-time.ts';

/** An app inside this process: its timers, sockets and servers are tracked, to end it at any moment as by `kill -9`. */
export type SimulatedProcess = Named & ReturnType<typeof started>;

type Named = { name: string; time: VirtualTime; random: () => number };

const started = () => ({
  /** A frozen process is stopped as by SIGSTOP; a dead one never runs again. */
  state: 'running' as 'running' | 'frozen' | 'dead',
  servers: new Set<Server>(),
  sockets: new Set<Socket>(),
  /** Deliveries from Slack that it has not answered, one object each. */
  arrived: new Set<object>(),
  /** Open calls to the stand-ins, one object each. */
  openCalls: new Set<object>(),
  /** What other threads and Postgres are doing for it, one object each. */
  outsideWork: new Set<object>(),
});

export const createProcess = (named: Named): SimulatedProcess => ({ ...named, ...started() });

const running = new AsyncLocalStorage<SimulatedProcess>();

/** The process that the calling code belongs to; undefined in the test itself and the stand-ins. */
export const currentProcess = (): SimulatedProcess | undefined => running.getStore();

let outsideEvents = 0;
let wake: (() => void) | undefined;

/** To be called when something arrives or ends that this thread does not do itself. */
function noteOutsideEvent(): void {
  outsideEvents += 1;
  wake?.();
}

/** Resolves at the next of these events, or after so many real ms. */
export async function nextOutsideEvent(withinMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  wake = resolve;
  const timer = setTimeout(resolve, withinMs);
  await promise;
  clearTimeout(timer);
}

export const outsideEventsSoFar = (): number => outsideEvents;

export const runAs = <Result>(process: SimulatedProcess, work: () => Result): Result =>
  running.run(process, work);

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

/** The process that makes each open call; undefined for the stand-in for Slack, which calls the app. */
const callers = new WeakMap<object, SimulatedProcess | undefined>();
/** Calls of the stand-in for Slack that it has no answer to. */
const deliveries = new Set<object>();

/** How many deliveries from Slack wait for an answer, whether they have arrived at an app or not. */
export const openDeliveries = (): number => deliveries.size;

function onCallBegun(request: object): void {
  const process = currentProcess();
  // A socket that is closed before the request has it would leave the request open forever. Destroyed without a socket,
  // it would leave a listener on the one it was to reuse.
  if (process?.state === 'dead' && request instanceof ClientRequest) {
    return void request.once('socket', () => request.destroy());
  }
  callers.set(request, process);
  if (process) process.openCalls.add(request);
  else deliveries.add(request);
}

function onCallEnded(request: object): void {
  callers.get(request)?.openCalls.delete(request);
  deliveries.delete(request);
  noteOutsideEvent();
}

function onArrival(response: unknown): void {
  const process = currentProcess();
  if (!process || !(response instanceof ServerResponse)) return;
  process.arrived.add(response);
  response.once('close', () => {
    process.arrived.delete(response);
    noteOutsideEvent();
  });
}

function onSocket(socket: unknown): void {
  const process = currentProcess();
  if (!process || !(socket instanceof Socket)) return;
  if (process.state === 'dead') return void socket.destroy();
  process.sockets.add(socket);
  socket.once('close', () => process.sockets.delete(socket));
}

function onListening(server: unknown): void {
  if (server instanceof Server) currentProcess()?.servers.add(server);
}

function listen(channel: string, name: string, listener: (thing: object) => void): void {
  subscribe(channel, (message) => {
    const thing: unknown = Object(message)[name];
    if (typeof thing === 'object' && thing !== null) listener(thing);
  });
}

export function observeTraffic(): void {
  listen('http.client.request.created', 'request', onCallBegun);
  listen('http.client.request.error', 'request', onCallEnded);
  listen('http.client.response.finish', 'request', onCallEnded);
  listen('http.server.request.start', 'response', onArrival);
  listen('net.client.socket', 'socket', onSocket);
  listen('tracing:net.server.listen:asyncStart', 'server', onListening);
}

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
