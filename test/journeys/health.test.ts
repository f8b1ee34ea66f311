import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../stand-ins/slack/faults.ts';
import { startWorld } from './world.ts';

async function ask(url: string) {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
}

describe('the app', () => {
  it('is ready once it knows its workspace', async () => {
    const { app } = await startWorld();
    expect(await ask(`${app.url}/readyz`)).toEqual({
      status: 200,
      body: { ready: true, database: 'ok', slack: 'ok', staying: 'ok' },
    });
  });

  it.each<[string, FaultKind]>([
    ['is down', { kind: 'http', status: 503 }],
    ['is refused', { kind: 'error', error: 'invalid_auth' }],
    ['is answered by a proxy', { kind: 'http', status: 200 }],
  ])('is not ready while its socket to Slack %s', async (_what, fault) => {
    const { app, slack } = await startWorld({ transport: 'socket' });
    expect(await ask(`${app.url}/readyz`)).toMatchObject({ status: 200 });
    slack.faults.add({ method: 'apps.connections.open', ...fault });
    slack.sockets.dropAll();
    await expect
      .poll(() => ask(`${app.url}/readyz`))
      .toEqual({
        status: 503,
        body: { ready: false, database: 'ok', slack: 'failed', staying: 'ok' },
      });
    expect(await ask(`${app.url}/healthz`)).toEqual({ status: 200, body: { ok: true } });
  });
});

it('the app answers at the path of PUBLIC_URL, too, which some proxies pass on', async () => {
  const { app } = await startWorld({
    many: true,
    env: { PUBLIC_URL: 'https://apps.example.com/design' },
  });
  for (const path of ['/readyz', '/slack/install', '/privacy', ''])
    for (const prefix of ['', '/design'])
      expect((await fetch(app.url + prefix + path)).status, prefix + path).toBe(200);
  const post = (path: string) => fetch(app.url + path, { method: 'POST' });
  expect((await post('/design/slack/events')).status).toBe(401);
});

describe('the address of the app, opened in a browser', () => {
  it('says that the app runs, and how to use it', async () => {
    const { app } = await startWorld({ connected: false });
    const page = await fetch(app.url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const markup = await page.text();
    expect(markup).toContain('<h1>Design Request is running</h1>');
    expect(markup).toContain('<code>/design-request</code>');
    expect(markup).not.toContain('slack/install');
  });

  it('leads to the install page if workspaces install the app themselves', async () => {
    const { app } = await startWorld({ many: true });
    const [, link = ''] = /href="([^"]+)"/.exec(await (await fetch(app.url)).text()) ?? [];
    expect((await fetch(new URL(link, `${app.url}/`))).status).toBe(200);
  });
});
