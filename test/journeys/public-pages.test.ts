import { describe, expect, it } from 'vitest';
import { openBrowser, PUBLIC_URL } from './browser.ts';
import { startWorld, type World } from './world.ts';

/** What a browser gets that a proxy says has this address. */
const openFrom = ({ app }: World, path: string, address = '198.51.100.1') =>
  fetch(app.url + path, { redirect: 'manual', headers: { 'x-forwarded-for': address } });

describe('the pages that anyone can open', () => {
  it.each(['/', '/privacy', '/slack/install', '/slack/oauth_redirect?error=access_denied'])(
    '%s can’t be framed, sniffed, cached, or opened over plain HTTP',
    async (path) => {
      const world = await startWorld({ many: true });
      const { headers } = await openBrowser(world).open(path);
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    },
  );

  it('say what is stored, for how long, and whom to ask', async () => {
    const world = await startWorld({ env: { SUPPORT_CONTACT: 'help@example.com' } });
    const browser = openBrowser(world);
    expect((await browser.open('/')).text).toContain('href="privacy"');
    const { text } = await browser.open('/privacy');
    expect(text).toContain('30 days');
    expect(text).toContain('<a href="mailto:help@example.com">help@example.com</a>');
  });
});

describe('the Home tab', () => {
  it('says where people get help', async () => {
    const { slack, me } = await startWorld({ env: { SUPPORT_CONTACT: 'help@example.com' } });
    me.openApp();
    const shown = () => JSON.stringify(me.home() ?? {}).includes('mailto:help@example.com');
    await slack.until(shown, 'the address');
  });
});

describe('the direct install URL', () => {
  it('leads straight to Slack, where only this browser can finish', async () => {
    const { world, acme, admin, slack } = await startWorld({ many: true });
    const browser = openBrowser(world);
    const { status, headers } = await browser.open('/slack/install/direct');
    expect(status).toBe(302);
    expect(headers.get('cache-control')).toBe('no-store');
    const to = headers.get('location') ?? '';
    expect(to.startsWith(`${slack.authorizeUrl}?`)).toBe(true);
    expect(new URL(to).searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/slack/oauth_redirect`);

    const back = await slack.authorize(acme, admin, to);
    const stranger = await openBrowser(world).open(back);
    expect(stranger.status).toBe(400);
    expect((await browser.open(back)).text).toContain('It’s now in Acme');
  });
});

describe('the install pages', () => {
  it('answer 429 to an address that asks too often, and nobody else', async () => {
    let now = new Date('2026-05-01T10:00:00Z');
    const world = await startWorld({ many: true, now: () => now });
    const paths = ['/slack/install', '/slack/install/direct', '/slack/oauth_redirect?code=1'];
    for (let request = 0; request < 60; request += 1) {
      const path = paths[request % paths.length] ?? '';
      expect((await openFrom(world, path)).status).not.toBe(429);
    }
    for (const path of paths) {
      const refused = await openFrom(world, path);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBe(60);
      expect(await refused.text()).toContain('Too many requests');
    }
    expect((await openFrom(world, '/slack/install', '203.0.113.9')).status).toBe(200);
    now = new Date(now.getTime() + 60_000);
    expect((await openFrom(world, '/slack/install')).status).toBe(200);
  });
});
