import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LOOPBACK_HOSTS } from '../../config/settings.ts';
import { type Routes, send } from '../http-server.ts';
import type { Metrics } from './metrics.ts';

/** `GET /metrics`: with `Authorization: Bearer <token>`; without a token, only on this machine. */
export function metricsRoute(options: { metrics: Metrics; token: string | undefined }): Routes {
  const { metrics, token } = options;
  const isAllowed =
    token === undefined ? isFromThisMachine : (request: IncomingMessage) => bears(request, token);
  return {
    'GET /metrics': async (request, response) => {
      if (!isAllowed(request))
        return send(response, token === undefined ? 403 : 401, { error: 'not_allowed' });
      const text = await metrics.text();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
    },
  };
}

function bears(request: IncomingMessage, token: string): boolean {
  const sent = Buffer.from(request.headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/**
 * Requests through a proxy on this machine come from a loopback address too, but have one of these headers, or ask for
 * another host. In DNS rebinding, too, a web page in a browser on this machine asks for another host.
 */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers;
  const { hostname = '' } = URL.parse(`http://${headers.host}`) ?? {};
  return !isForwarded && LOOPBACK_HOSTS.has(hostname) && LOOPBACK.test(socket.remoteAddress ?? '');
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
