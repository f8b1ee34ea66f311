import { once } from 'node:events';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Called before a call is executed and before its answer is sent. @returns false to cut the connection */
export type CallGate = (moment: {
  process: string;
  when: 'before' | 'after';
  label: string;
}) => Promise<boolean>;

const LOOPBACK = '127.0.0.1';

/** A proxy in front of a stand-in, as `http://…/<process>/…`. Each call and each answer waits at the gate. */
export async function openFront(standIn: Listener, gate: CallGate) {
  /** Holds back each answer until the gate lets it pass. */
  class HeldResponse extends ServerResponse {
    onEnd: ((send: () => void) => void) | undefined;
    override end(...given: unknown[]): this {
      const send = () => void Reflect.apply(super.end, this, given);
      if (this.onEnd) this.onEnd(send);
      else send();
      return this;
    }
  }

  async function serve(request: IncomingMessage, response: HeldResponse): Promise<void> {
    const [, process = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    // The rest of a response_url is random.
    const label = `${request.method} ${rest.replace(/^(\/(?:actions|commands))\/.*/, '$1')}`;
    // All processes share one pool of connections, and the end of one process must not end a call of another.
    response.shouldKeepAlive = false;
    count(process, 1);
    response.once('close', () => count(process, -1));
    if (!(await gate({ process, when: 'before', label }))) return void request.socket.destroy();
    response.onEnd = async (send) => {
      if (await gate({ process, when: 'after', label })) send();
      else request.socket.destroy();
    };
    request.url = rest;
    standIn(request, response);
  }

  const underWay = new Map<string, number>();
  const count = (process: string, by: 1 | -1) =>
    underWay.set(process, (underWay.get(process) ?? 0) + by);

  const server = createServer({ ServerResponse: HeldResponse }, serve);
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let isDown = false;

  return {
    /** Without a slash at the end. */
    addressFor: (process: string) => `http://${LOOPBACK}:${port}/${process}`,
    underWay: (process: string) => underWay.get(process) ?? 0,
    isDown: () => isDown,
    goDown() {
      isDown = true;
      server.close();
    },
    async comeUp() {
      isDown = false;
      server.listen(port, LOOPBACK);
      await once(server, 'listening');
    },
    async close() {
      server.closeAllConnections();
      if (isDown) return;
      server.close();
      await once(server, 'close');
    },
  };
}
