import { Agent, request } from 'node:http';

export interface HttpAnswer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  error: 'timeout' | 'connection_failed' | undefined;
}

const NO_ANSWER = { status: undefined, headers: {}, body: '' };

// A new connection for each request, so that none is left from before an app restarted.
const ONE_EACH = new Agent({ keepAlive: false });

/** Waits at most `timeoutMs` real ms for the whole answer. Never rejects. Redirects are not followed. */
export function postToApp(
  url: string,
  headers: Record<string, string>,
  body: string | Buffer,
  timeoutMs: number,
  agent = ONE_EACH,
): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const fail = () =>
      resolve({ ...NO_ANSWER, error: signal.aborted ? 'timeout' : 'connection_failed' });
    const length = String(Buffer.byteLength(body));
    const call = request(url, {
      method: 'POST',
      agent,
      headers: { 'content-length': length, accept: '*/*', ...headers },
      signal,
    });
    call.on('error', fail);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          error: undefined,
        }),
      );
    });
    call.end(body);
  });
}
