import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Delivery } from '../stand-ins/slack/dispatch/delivery.ts';
import type { Setting } from './setting.ts';

/** A request to the app, byte for byte. A header may appear twice. */
export type SignedBytes = { headers: Record<string, string | string[]>; body: string };

/** What Slack sent the first time, including the signature. */
export function bytesOf({ rawBody, attempts }: Delivery): SignedBytes {
  const [first] = attempts;
  if (!first) throw new Error('It was never delivered');
  return { headers: { ...first.headers }, body: rawBody };
}

/** Sends the bytes. @returns the app's status; 0 if there was none */
export async function sendBytes({ env }: Setting, { headers, body }: SignedBytes): Promise<number> {
  const call = request(`http://${env.HOST}:${env.PORT}/slack/events`, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  });
  call.end(body);
  try {
    const [response]: IncomingMessage[] = await once(call, 'response');
    response?.resume();
    return response?.statusCode ?? 0;
  } catch {
    return 0;
  }
}

/** Sends the same bytes that often, a few at a time. @returns how often they were accepted (2xx) */
export async function replay(setting: Setting, bytes: SignedBytes, times: number): Promise<number> {
  let left = times;
  let taken = 0;
  const sender = async () => {
    while (left > 0) {
      left -= 1;
      const status = await sendBytes(setting, bytes);
      if (status >= OK_FROM && status < OK_BELOW) taken += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return taken;
}
const AT_ONCE = 10;
const OK_FROM = 200;
const OK_BELOW = 300;
