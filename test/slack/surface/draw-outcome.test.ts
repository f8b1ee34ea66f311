import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebClient } from '@slack/web-api';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../../src/ops/logging.ts';
import { slackClientOptions } from '../../../src/slack/client/slack-client.ts';
import { buildNotice, createOutcomes } from '../../../src/slack/surface/views.ts';

const log = createLog({ level: 'silent' });
const REDRAWN_AFTER_MS = 1_500;
const view = (text: string) => buildNotice({ title: 'Outcome', text });

/** A client, and the texts that Slack was told to draw. */
async function openSlack() {
  const drawn: string[] = [];
  const server = createServer(async (request, response) => {
    const body = new URLSearchParams(await new Response(request).text());
    drawn.push(/first|second/.exec(body.get('view') ?? '')?.[0] ?? '');
    response.end('{"ok":true}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const options = slackClientOptions({ apiUrl: `http://127.0.0.1:${port}/api/`, log });
  return { drawn, client: new WebClient('xoxb-1', options) };
}

afterEach(() => void vi.useRealTimers());

/** Fires the app's timers at once, and leaves Node's own alone. */
const stopTheClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

it('draws an outcome again, since an acknowledgment’s own view may have replaced it', async () => {
  const { drawn, client } = await openSlack();
  const outcomes = createOutcomes({ log });
  stopTheClock();
  await outcomes.of('V1')(client, view('first'));
  expect(drawn).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(REDRAWN_AFTER_MS);
  vi.useRealTimers();
  await expect.poll(() => drawn).toEqual(['first', 'first']);
});

it('doesn’t draw it again once the modal was submitted again', async () => {
  const { drawn, client } = await openSlack();
  const outcomes = createOutcomes({ log });
  stopTheClock();
  await outcomes.of('V1')(client, view('first'));
  const drawSecond = outcomes.of('V1');
  await vi.advanceTimersByTimeAsync(REDRAWN_AFTER_MS);
  await drawSecond(client, view('second'));
  await vi.advanceTimersByTimeAsync(REDRAWN_AFTER_MS);
  vi.useRealTimers();
  await expect.poll(() => drawn).toEqual(['first', 'second', 'second']);
});

it('doesn’t draw the outcome of an earlier submission again if it comes late', async () => {
  const { drawn, client } = await openSlack();
  const outcomes = createOutcomes({ log });
  stopTheClock();
  const drawFirst = outcomes.of('V1');
  const drawSecond = outcomes.of('V1');
  await drawSecond(client, view('second'));
  await drawFirst(client, view('first'));
  await vi.advanceTimersByTimeAsync(REDRAWN_AFTER_MS);
  vi.useRealTimers();
  await expect.poll(() => drawn).toEqual(['second', 'first', 'second']);
});

it('doesn’t draw it again once it is no longer what the modal shows', async () => {
  const { drawn, client } = await openSlack();
  const outcomes = createOutcomes({ log });
  stopTheClock();
  await outcomes.of('V1')(client, view('first'), async () => false);
  await outcomes.of('V2')(client, view('second'), async () => true);
  await vi.advanceTimersByTimeAsync(REDRAWN_AFTER_MS);
  vi.useRealTimers();
  await expect.poll(() => drawn).toEqual(['first', 'second', 'second']);
});
