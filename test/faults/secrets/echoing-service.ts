import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** An answer that repeats the call's key. */
export type Echo = { status: number; form: 'message' | 'details' | 'html' | 'text' | 'headers' };

/** A service whose next answers repeat the API key of the call. */
export type EchoingService = Awaited<ReturnType<typeof openEchoingService>>;

const LOOPBACK = '127.0.0.1';

/** Stands in front of a service and passes on everything that it doesn't echo. */
export async function openEchoingService(serviceUrl: string) {
  type Armed = { method: string; path: RegExp; echo: Echo };
  let armed: Armed | undefined;
  let given = 0;
  const server = createServer((incoming, response) => {
    const { method, url = '' } = incoming;
    if (!armed || armed.method !== method || !armed.path.test(url)) {
      return passOn(incoming, response, new URL(serviceUrl).origin);
    }
    const { echo } = armed;
    armed = undefined;
    given += 1;
    incoming.resume().on('end', () => answer(response, echo, keyOf(incoming)));
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address !== 'string' ? address.port : 0;
  return {
    url: `http://${LOOPBACK}:${port}${new URL(serviceUrl).pathname}`,
    /** Answers the next call with this method and path instead of the service; one at a time. */
    echo(match: { method: string; path: RegExp }, echo: Echo) {
      armed = { ...match, echo };
    },
    /** How many such answers were given. */
    given: () => given,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const keyOf = ({ headers }: IncomingMessage) => String(headers['x-api-key']);

function answer(response: ServerResponse, { status, form }: Echo, key: string): void {
  const words = `The key ${key} may not do that.`;
  const error = { status: false, error: 'Error', statusCode: status };
  const json = (body: object) => ['application/json', JSON.stringify({ ...error, ...body })];
  const [type = '', body = ''] = {
    message: json({ message: words }),
    details: json({ message: 'No.', details: { [`key ${key}`]: [words], key, title: words } }),
    html: ['text/html', `<html><title>${key}</title><body><h1>${words}</h1></body></html>`],
    text: ['text/plain', words],
    headers: json({ message: 'No.' }),
  }[form];
  const inHeaders = { 'retry-after': key, location: `/login?key=${key}`, 'x-ratelimit-reset': key };
  response
    .writeHead(status, form === 'headers' ? key : 'Refused', {
      'content-type': type,
      ...(form === 'headers' ? inHeaders : { 'retry-after': '1' }),
    })
    .end(body);
}

function passOn(incoming: IncomingMessage, response: ServerResponse, origin: string): void {
  const { method, headers, url = '/' } = incoming;
  const outgoing = request(`${origin}${url}`, { method, headers }, (answered) => {
    response.writeHead(answered.statusCode ?? 500, answered.headers);
    answered.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  incoming.pipe(outgoing);
}
