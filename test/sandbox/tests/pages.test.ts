import { once } from 'node:events';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startPages } from '../pages/server.ts';
import { openStage } from '../stage.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FREEZE = { method: 'POST', body: '{"do":"freeze"}' };

type Sent = { method?: string; headers?: Record<string, string>; body?: string };

/** The pages for a stage without an app; the browser's files are not bundled. */
async function servePages(options: { port?: number } = { port: 0 }) {
  const stage = await openStage();
  const index = { body: '<title>Pages</title>', type: 'text/html' };
  const files = Promise.resolve(new Map([['/index.html', index]]));
  const pages = await startPages(stage, { ...options, files });
  onTestFinished(async () => {
    await pages.close();
    await stage.close();
  });
  /** Sends exactly these headers, as a browser or another program would. */
  async function ask(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
    const call = request(pages.url + path, { method, headers }).end(body);
    const [response] = await once(call, 'response');
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string | undefined>,
      body: await text(response),
    };
  }
  /** Sends an action as a page does. */
  async function act(page: string, what: unknown) {
    const headers = { ...JSON_TYPE, origin: pages.url };
    const body = JSON.stringify(what);
    const answer = await ask(`/act/${page}`, { method: 'POST', headers, body });
    return { status: answer.status, json: JSON.parse(answer.body) };
  }
  return { ...stage, url: new URL(pages.url), ask, act };
}

it('the pages are served under this machine’s names, and only on 127.0.0.1', async () => {
  const { ask, url } = await servePages();
  for (const path of ['/', '/dashboard', '/log']) {
    expect((await ask(path)).status).toBe(200);
    const byName = await ask(path, { headers: { host: `localhost:${url.port}` } });
    expect(byName.status).toBe(200);
  }
  // The same machine under another of its addresses.
  const socket = createConnection({ host: '127.0.0.2', port: Number(url.port) });
  onTestFinished(() => void socket.destroy());
  const refused = await new Promise<{ code?: string }>((resolve) => socket.on('error', resolve));
  expect(refused.code).toBe('ECONNREFUSED');
});

it('the pages refuse hosts, origins, and types of elsewhere', async () => {
  const { ask } = await servePages();
  const act = (headers: Record<string, string>) => ask('/act/app', { ...FREEZE, headers });
  // A page elsewhere can point its name here.
  for (const host of ['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example']) {
    for (const path of ['/', '/live/workspace', '/read/log?seq=1']) {
      expect((await ask(path, { headers: { host } })).status).toBe(403);
    }
    expect((await act({ ...JSON_TYPE, host })).status).toBe(403);
  }
  for (const origin of ['http://evil.example', 'null', 'https://127.0.0.1', 'http://127.0.0.1:1']) {
    expect((await act({ ...JSON_TYPE, origin })).status).toBe(403);
    expect((await ask('/live/log', { headers: { origin } })).status).toBe(403);
  }
  // A form elsewhere could send these.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
    expect((await act({ 'content-type': type })).status).toBe(403);
  }
});

it('the pages let a browser load nothing from elsewhere, and can’t be framed', async () => {
  const { ask } = await servePages();
  const { headers } = await ask('/');
  const policy = headers['content-security-policy'];
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*(?!;| |$)/);
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

it('the pages refuse anything else', async () => {
  const { ask, act } = await servePages();
  for (const path of ['/nothing', '/live/nothing', '/live/toString', '/read/nothing', '/../a']) {
    expect((await ask(path)).status, path).toBe(404);
  }
  expect((await act('nothing', {})).status).toBe(404);
  expect((await act('constructor', {})).status).toBe(404);
  expect((await act('app', { do: 'explode' })).status).toBe(400);
  const send = (method: string, body: string) =>
    ask('/act/app', { method, headers: JSON_TYPE, body });
  expect((await send('DELETE', '')).status).toBe(405);
  const problem = '{"problem":"The body isn’t JSON."}';
  expect(await send('POST', '{')).toMatchObject({ status: 400, body: problem });
  expect((await send('POST', `"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413);
});

it('the pages use another port if theirs is in use', async () => {
  const [first, second] = [await servePages({}), await servePages({})];
  expect(first.url.port).not.toBe(second.url.port);
});

it('a page explains what can’t be done', async () => {
  const { act, ann, general } = await servePages();
  const command = (name: string) => ({
    as: ann.id,
    act: { do: 'command', channelId: general.id, command: name, text: '' },
  });
  const closed = { do: 'submit', viewId: 'V1' };
  for (const [page, what, problem] of [
    ['workspace', command('/nothing'), '/nothing is not a valid command'],
    ['workspace', { as: ann.id, act: closed }, 'This window has been closed.'],
    ['dashboard', { do: 'set-status', cardId: 'card-1001', statusId: 'x' }, 'no such status'],
    ['dashboard', { do: 'add-file', cardId: 'card-404', name: 'a.png' }, 'no card "card-404"'],
    ['dashboard', { do: 'revoke-key', owner: 'Initech' }, 'Initech has no key'],
  ] as const) {
    const { status, json } = await act(page, what);
    expect({ status, problem: json.problem }).toEqual({
      status: 200,
      problem: expect.stringContaining(problem),
    });
  }
  expect((await act('workspace', { as: 'U404', act: closed })).status).toBe(404);
  const unreachable = { acknowledged: false, error: 'not_connected' };
  expect((await act('workspace', command('/design-request'))).json.result).toMatchObject({
    commandError: 'dispatch_failed',
    told: unreachable,
  });
});
