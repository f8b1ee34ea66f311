import { createConnection } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPages } from '../../pages/server.ts';
import { openStage } from '../../stage.ts';
import { act, ask, servePages } from './served.ts';

const FREEZE = { method: 'POST', body: '{"do":"freeze"}' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the pages, which are only for this machine,', () => {
  it('are served under this machine’s names', async () => {
    const { pages } = await servePages();
    const { port } = new URL(pages.url);
    for (const path of ['/', '/dashboard', '/log']) {
      expect((await ask(pages.url + path)).status).toBe(200);
      const byName = await ask(pages.url + path, { headers: { host: `localhost:${port}` } });
      expect(byName.status).toBe(200);
    }
  });

  it('listen only on 127.0.0.1', async () => {
    const { pages } = await servePages();
    const { port } = new URL(pages.url);
    // The same machine under another of its addresses.
    const refused = await new Promise((resolve) => {
      const socket = createConnection({ host: '127.0.0.2', port: Number(port) });
      socket.on('connect', () => resolve('connected'));
      socket.on('error', (error) => resolve('code' in error ? error.code : error));
      onTestFinished(() => void socket.destroy());
    });
    expect(refused).toBe('ECONNREFUSED');
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example'])(
    'refuse the host %s, since a page elsewhere can point that name here',
    async (host) => {
      const { pages } = await servePages();
      for (const path of ['/', '/live/workspace', '/read/log?seq=1']) {
        expect((await ask(pages.url + path, { headers: { host } })).status).toBe(403);
      }
      const answer = await ask(`${pages.url}/act/app`, {
        ...FREEZE,
        headers: { ...JSON_TYPE, host },
      });
      expect(answer.status).toBe(403);
    },
  );

  it.each(['http://evil.example', 'null', 'https://127.0.0.1', 'http://127.0.0.1:1'])(
    'accept no action from a page of %s',
    async (origin) => {
      const { pages } = await servePages();
      const headers = { ...JSON_TYPE, origin };
      const answer = await ask(`${pages.url}/act/app`, { ...FREEZE, headers });
      expect(answer.status).toBe(403);
      expect((await ask(`${pages.url}/live/log`, { headers: { origin } })).status).toBe(403);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
    'accept no action as %s, which a form elsewhere could send',
    async (type) => {
      const { pages } = await servePages();
      const headers = { 'content-type': type };
      const answer = await ask(`${pages.url}/act/app`, { ...FREEZE, headers });
      expect(answer.status).toBe(403);
    },
  );

  it('let a browser load nothing from elsewhere, and can’t be framed', async () => {
    const { pages } = await servePages();
    const { headers } = await ask(pages.url);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*(?!;| |$)/);
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('refuse anything else with an explanation', async () => {
    const { pages } = await servePages();
    const paths = [
      '/nothing',
      '/live/nothing',
      '/live/toString',
      '/read/nothing',
      '/../package.json',
    ];
    for (const path of paths) expect((await ask(pages.url + path)).status, path).toBe(404);
    expect((await act({ pages }, 'nothing', {})).status).toBe(404);
    expect((await act({ pages }, 'constructor', {})).status).toBe(404);
    expect((await act({ pages }, 'app', { do: 'explode' })).status).toBe(400);
    expect((await ask(pages.url, { method: 'DELETE', headers: JSON_TYPE })).status).toBe(405);
    const send = (body: string) =>
      ask(`${pages.url}/act/app`, { method: 'POST', headers: JSON_TYPE, body });
    expect(await send('{')).toMatchObject({
      status: 400,
      body: '{"problem":"The body isn’t JSON."}',
    });
    expect((await send(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413);
  });

  it('use another port if theirs is in use', async () => {
    const files = Promise.resolve(new Map());
    const started = [];
    for (const stage of [await openStage(), await openStage()]) {
      const pages = await startPages(stage, { files });
      onTestFinished(async () => {
        await pages.close();
        await stage.close();
      });
      started.push(pages.url);
    }
    expect(new Set(started).size).toBe(2);
    for (const url of started) expect((await ask(`${url}/live/nothing`)).status).toBe(404);
  });
});
