import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import type { ReadyFile } from '../../src/slack/request-form/file-info.ts';
import { createSlackFiles } from '../../src/slack/request-form/slack-files.ts';
import { T1 } from '../installations/ids.ts';

const BYTES = 10;
const log = createLog({ level: 'silent' });

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Asked = { path: string; token: string | undefined };

/** Downloads a file from a Slack that answers in its own way. */
async function downloadFrom(
  answer: RequestListener,
  { type = 'image/png', range }: { type?: string; range?: string } = {},
) {
  const asked: Asked[] = [];
  const origin = await listening((request, response) => {
    asked.push({ path: request.url ?? '', token: request.headers.authorization });
    answer(request, response);
  });
  const apiUrl = `${origin}/api/`;
  const clients = { of: async () => new WebClient('xoxb-1', { slackApiUrl: apiUrl }) };
  const source = createSlackFiles({ clients, apiUrl, maxBytes: 1_000, now: () => new Date(), log });
  const url = `${origin}/files/0`;
  const file: ReadyFile = { id: 'F1', name: 'a', type, bytes: BYTES, version: '1', url };
  const { signal } = new AbortController();
  const opened = await source.open(T1, file, { range, signal });
  return { opened, asked };
}

const refused = { opened: { kind: 'refused' } };

describe('Slack’s answer to a download', () => {
  it('may lead to another address of Slack, three times', async () => {
    const redirect =
      (most: number): RequestListener =>
      (request, response) => {
        const step = Number(request.url?.split('/').at(-1));
        if (step === most) response.writeHead(200, { 'content-length': BYTES }).end('0123456789');
        else response.writeHead(302, { location: `/files/${step + 1}` }).end();
      };
    expect(await downloadFrom(redirect(3))).toMatchObject({ opened: { kind: 'content' } });
    const { opened, asked } = await downloadFrom(redirect(9));
    expect(opened.kind).toBe('later');
    expect(asked).toHaveLength(4);
  });

  it('is asked for once more if the connection is reset before it, and no more', async () => {
    const reset = (times: number): RequestListener => {
      let left = times;
      return (request, response) => {
        left -= 1;
        if (left >= 0) request.socket.resetAndDestroy();
        else response.writeHead(200, { 'content-length': BYTES }).end('0123456789');
      };
    };
    const { opened, asked } = await downloadFrom(reset(1));
    expect(opened.kind).toBe('content');
    expect(asked).toEqual(Array(2).fill({ path: '/files/0', token: 'Bearer xoxb-1' }));
    await expect(downloadFrom(reset(2))).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('is asked for only once if the connection is reset after its beginning', async () => {
    const { opened, asked } = await downloadFrom((request, response) => {
      response.writeHead(200, { 'content-length': BYTES }).flushHeaders();
      response.write('0', () => setTimeout(() => request.socket.resetAndDestroy(), 50));
    });
    if (opened.kind !== 'content') throw new Error(opened.kind);
    await expect(opened.body.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await sleep(100);
    expect(asked).toHaveLength(1);
  });

  it('leads nowhere else: the token stays with Slack', async () => {
    const heard: string[] = [];
    const elsewhere = await listening((request, response) => {
      heard.push(request.headers.authorization ?? '');
      response.end('0123456789');
    });
    const answer: RequestListener = (_request, response) =>
      response.writeHead(302, { location: `${elsewhere}/a` }).end();
    expect(await downloadFrom(answer)).toMatchObject({
      ...refused,
      asked: [{ path: '/files/0', token: 'Bearer xoxb-1' }],
    });
    expect(heard).toEqual([]);
  });

  const answering =
    (status: number, headers: OutgoingHttpHeaders): RequestListener =>
    (_request, response) => {
      response.writeHead(status, headers);
      response.write('01234');
    };

  it.each<[string, number, OutgoingHttpHeaders]>([
    ['the page on which people sign in', 200, { 'content-type': 'text/html; charset=utf-8' }],
    ...[401, 403, 404, 410, 451].map((status): [string, number, OutgoingHttpHeaders] => [
      `an error ${status}`,
      status,
      {},
    ]),
  ])('is refused if it is %s', async (_what, status, headers) => {
    const answer = answering(status, headers);
    expect(await downloadFrom(answer, { range: 'bytes=0-4' })).toMatchObject(refused);
  });

  it.each<[string, number, OutgoingHttpHeaders]>([
    ['another length, because the file was edited', 200, { 'content-length': BYTES - 1 }],
    ['compressed bytes', 200, { 'content-encoding': 'gzip' }],
    ['a range without saying which', 206, {}],
    ['a range of another file', 206, { 'content-range': 'bytes 0-4/99', 'content-length': 5 }],
    ['a range beyond the end', 206, { 'content-range': `bytes 5-${BYTES}/${BYTES}` }],
    ['a redirect to nowhere', 302, {}],
    ['a redirect to no address', 302, { location: 'http://[' }],
    ...[202, 400, 405, 408, 409, 416, 421, 423, 425, 429, 500, 502, 503, 504, 520].map(
      (status): [string, number, OutgoingHttpHeaders] => [`an answer ${status}`, status, {}],
    ),
  ])('passes if it is %s', async (_what, status, headers) => {
    const { opened } = await downloadFrom(answering(status, headers), { range: 'bytes=0-4' });
    expect(opened).toEqual({ kind: 'later', retryAfterSeconds: 15 });
  });

  it('counts as temporary if it leads in circles', async () => {
    const answer = answering(302, { location: '/files/0' });
    expect((await downloadFrom(answer)).opened).toMatchObject({ kind: 'later' });
  });

  it('is refused if it is a page of unknown length, even for a page', async () => {
    const answer: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('01234');
    };
    expect(await downloadFrom(answer, { type: 'text/html' })).toMatchObject(refused);
  });
});
