import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import { Socket } from 'node:net';
import { currentProcess, type SimulatedProcess } from './simulated-process.ts';

/** Who makes a call that is under way; undefined for the stand-in Slack, which calls the app. */
const callers = new WeakMap<object, SimulatedProcess | undefined>();
/** Deliveries that left the stand-in Slack and have not arrived at an app, oldest first. */
const deliveries = new Set<object>();

/** Whether something that Slack sends is on its way to an app. */
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

/** Of what Node and undici tell of each call and each socket, the one thing of a name. */
function listen(channel: string, name: string, listener: (thing: object) => void): void {
  subscribe(channel, (message) => {
    const thing: unknown = Object(message)[name];
    if (typeof thing === 'object' && thing !== null) listener(thing);
  });
}

/** Notes, from here on, which process each call, socket and server belongs to. */
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
