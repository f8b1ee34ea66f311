import { createServer, type RequestListener } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect } from 'vitest';
import { createLog } from '../../../src/ops/logging.ts';
import { createMetrics } from '../../../src/ops/metrics/metrics.ts';
import { slackClientOptions } from '../../../src/slack/client/slack-client.ts';
import { listen as listenOnThisMachine } from '../../service/local-server.ts';

export const log = createLog({ level: 'silent' });

/** A server that answers like this. @returns its URL, and which paths were requested */
export async function listen(answer: RequestListener) {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(String(request.url));
    answer(request, response);
  });
  const port = await listenOnThisMachine(server);
  return { requested, url: new URL(`http://127.0.0.1:${port}/`) };
}

/** Slack’s client, configured as in the app. */
export const clientAt = (apiUrl: string) =>
  new WebClient('xoxb-1', slackClientOptions({ apiUrl, metrics: createMetrics(), log }));

/** The same for a server that answers like this. */
export async function clientOf(answer: RequestListener) {
  const { requested, url } = await listen(answer);
  return { client: clientAt(`${url}api/`), requested };
}

export const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call worked'),
    (error: unknown) => error,
  );
