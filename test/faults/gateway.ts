import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { selfSignedCertificate } from '../service/self-signed-certificate.ts';

/**
 * The state of the connection to the service: `good`, nobody listens (`refused`), a certificate other than the
 * trusted one (`untrusted`), a connection that ends during the TLS handshake (`cut`), or a server that doesn't
 * speak TLS at all (`plain`).
 */
export type GatewayMode = 'good' | 'refused' | 'untrusted' | 'cut' | 'plain';

/** An https URL in front of the service, on the same port as long as it exists. */
export type Gateway = {
  /** The service's base URL through this gateway. */
  url: string;
  /** The certificate that callers have to trust, as PEM. */
  certificate: string;
  /** Ends every connection and changes the state. */
  become(mode: GatewayMode): Promise<void>;
  close(): Promise<void>;
};

const LOOPBACK = '127.0.0.1';

/** Puts a connection that can break in front of a service. */
export async function openGateway(serviceUrl: string): Promise<Gateway> {
  const target = new URL(serviceUrl);
  const trusted = selfSignedCertificate();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;

  const forward = (incoming: Socket) => {
    const outgoing = connect(Number(target.port), target.hostname);
    incoming.on('error', () => outgoing.destroy()).pipe(outgoing);
    outgoing.on('error', () => incoming.destroy()).pipe(incoming);
  };

  function serverFor(mode: Exclude<GatewayMode, 'refused'>): Server {
    switch (mode) {
      case 'good':
        return createTlsServer(trusted, forward);
      case 'untrusted':
        return createTlsServer(selfSignedCertificate(), forward);
      case 'cut':
        return createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
      case 'plain':
        return createServer((socket) => void socket.once('data', () => socket.end(NO_TLS)));
    }
  }

  async function open(mode: Exclude<GatewayMode, 'refused'>): Promise<void> {
    server = serverFor(mode);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    });
    server.on('tlsClientError', () => undefined);
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
    const address = server.address();
    if (address !== null && typeof address !== 'string') port = address.port;
  }

  async function close(): Promise<void> {
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
    server = undefined;
  }

  await open('good');
  return {
    url: `https://${LOOPBACK}:${port}${target.pathname}`,
    certificate: trusted.cert,
    async become(mode) {
      await close();
      if (mode !== 'refused') await open(mode);
    },
    close,
  };
}

const NO_TLS = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
