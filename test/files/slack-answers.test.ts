import {
  createServer,
  IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import type { ReadyFile } from '../../src/slack/request-form/slack-files.ts';
import { createSlackFiles } from '../../src/slack/request-form/slack-files.ts';
import { T1 } from '../installations/ids.ts';
import { listen } from '../service/local-server.ts';

const BYTES = 10;
const log = createLog({ level: 'silent' });

const listening = async (answer: RequestListener) =>
  `http://127.0.0.1:${await listen(createServer(answer))}`;

type Asked = { path: string; token: string | undefined };

/** Downloads a file from a Slack that answers in its own way. */
async function downloadFrom(answer: RequestListener, type = 'image/png') {
  const asked: Asked[] = [];
  const origin = await listening((request, response) => {
    asked.push({ path: request.url ?? '', token: request.headers.authorization });
    answer(request, response);
  });
  const apiUrl = `${origin}/api/`;
  const clients = { of: async () => new WebClient('xoxb-1', { slackApiUrl: apiUrl }) };
  const source = createSlackFiles({ clients, apiUrl, maxBytes: 1_000, now: () => new Date(), log });
  const url = `${origin}/files/0`;
  const file: ReadyFile = { name: 'a', type, bytes: BYTES, url };
  const opened = await source.open(T1, file, new AbortController().signal);
  return { opened, asked };
}

const refused = { opened: 'refused' };
const content = { opened: expect.any(IncomingMessage) };

describe('Slack’s answer to a download', () => {
  it('may lead to another address of Slack, three times', async () => {
    const redirect =
      (most: number): RequestListener =>
      (request, response) => {
        const step = Number(request.url?.split('/').at(-1));
        if (step === most) response.writeHead(200, { 'content-length': BYTES }).end('0123456789');
        else response.writeHead(302, { location: `/files/${step + 1}` }).end();
      };
    expect(await downloadFrom(redirect(3))).toMatchObject(content);
    const { opened, asked } = await downloadFrom(redirect(9));
    expect(opened).toBe('later');
    expect(asked).toHaveLength(4);
  });

  it('is asked for only once if the connection is reset after its beginning', async () => {
    const { opened, asked } = await downloadFrom((request, response) => {
      response.writeHead(200, { 'content-length': BYTES }).flushHeaders();
      response.write('0', () => setTimeout(() => request.socket.resetAndDestroy(), 50));
    });
    if (typeof opened === 'string') throw new Error(opened);
    await expect(opened.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
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

  it.each<[opened: string, status: number, headers?: OutgoingHttpHeaders]>([
    // The page on which people sign in.
    ['refused', 200, { 'content-type': 'text/html; charset=utf-8' }],
    ...[401, 403, 404, 410, 451].map((status): [string, number] => ['refused', status]),
    ['later', 200, { 'content-encoding': 'gzip' }],
    ['later', 302],
    ['later', 302, { location: 'http://[' }],
    // In circles.
    ['later', 302, { location: '/files/0' }],
    ...[202, 206, 400, 429, 503].map((status): [string, number] => ['later', status]),
  ])('means %s if it is %i with %j', async (opened, status, headers = {}) => {
    expect((await downloadFrom(answering(status, headers))).opened).toBe(opened);
  });

  it('is refused if it is a page of unknown length, even for a page', async () => {
    const answer: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('01234');
    };
    expect(await downloadFrom(answer, 'text/html')).toMatchObject(refused);
  });
});
