import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface HttpAnswer {
  status: number | undefined;
  body: string;
  error: 'timeout' | 'connection_failed' | undefined;
}

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
    const fail = () => {
      const error = signal.aborted ? 'timeout' : 'connection_failed';
      resolve({ status: undefined, body: '', error });
    };
    const length = String(Buffer.byteLength(body));
    const call = request(url, {
      method: 'POST',
      agent,
      headers: { 'content-length': length, accept: '*/*', ...headers },
      signal,
    });
    call.on('error', fail);
    call.on('response', (response) => {
      const { statusCode: status } = response;
      text(response).then((answer) => resolve({ status, body: answer, error: undefined }), fail);
    });
    call.end(body);
  });
}
