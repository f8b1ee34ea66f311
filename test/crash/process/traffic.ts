import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import { Socket } from 'node:net';
import { currentProcess, type SimulatedProcess } from './simulated-process.ts';

/** The process that makes each open call; undefined for the stand-in for Slack, which calls the app. */
const callers = new WeakMap<object, SimulatedProcess | undefined>();
/** Deliveries from the stand-in for Slack that have not arrived at an app, oldest first. */
const deliveries = new Set<object>();

/** Whether a delivery from Slack is on its way to an app. */
export const isDelivering = (): boolean => deliveries.size > 0;

function onCallBegun(request: object): void {
  const process = currentProcess();
  callers.set(request, process);
  if (process) process.openCalls.add(request);
  else deliveries.add(request);
}

function onCallEnded(request: object): void {
  callers.get(request)?.openCalls.delete(request);
  deliveries.delete(request);
}

function onArrival(): void {
  const [oldest] = deliveries;
  if (currentProcess() && oldest) deliveries.delete(oldest);
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

/** Listens to a diagnostics channel of Node or undici, for one property of its messages. */
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
  listen('undici:request:create', 'request', onCallBegun);
  listen('undici:request:error', 'request', onCallEnded);
  listen('undici:request:trailers', 'request', onCallEnded);
  listen('http.server.request.start', 'request', onArrival);
  listen('net.client.socket', 'socket', onSocket);
  listen('tracing:net.server.listen:asyncStart', 'server', onListening);
}
