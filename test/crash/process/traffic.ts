import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { currentProcess, noteOutsideEvent, type SimulatedProcess } from './simulated-process.ts';

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

/** Listens to a diagnostics channel of Node, for one property of its messages. */
function listen(channel: string, name: string, listener: (thing: object) => void): void {
  subscribe(channel, (message) => {
    const thing: unknown = Object(message)[name];
    if (typeof thing === 'object' && thing !== null) listener(thing);
  });
}

/** Starts to track which process each call, socket and server belongs to. */
export function observeTraffic(): void {
  listen('http.client.request.created', 'request', onCallBegun);
  listen('http.client.request.error', 'request', onCallEnded);
  listen('http.client.response.finish', 'request', onCallEnded);
  listen('http.server.request.start', 'response', onArrival);
  listen('net.client.socket', 'socket', onSocket);
  listen('tracing:net.server.listen:asyncStart', 'server', onListening);
}
