import { describe, expect } from 'vitest';
import { allow, install, linkOf, openBrowser } from './browser.ts';
import { connect } from './connecting.ts';
import { sendRequest, sentRequest } from './form.ts';
import { it, startWorld } from './world.ts';

describe('the install page', () => {
  it('says which permissions it needs, links to Slack, loads nothing from elsewhere, and runs no scripts', async () => {
    const { world, slack } = await startWorld({ many: true });
    const page = await openBrowser(world).open('/slack/install');
    expect(page.status).toBe(200);
    for (const scope of slack.state.manifest.botScopes) expect(page.text).toContain(scope);
    const link = new URL(linkOf(page, 'Add to Slack'));
    expect(link.origin + link.pathname).toBe(slack.authorizeUrl);
    expect(link.searchParams.get('redirect_uri')).toBe('https://example.com/slack/oauth_redirect');
    const { headers, text } = page;
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none'; style-src 'sha256-/);
    expect(text).not.toMatch(/<script|<img|<link| src=| on\w+=/);
    expect(text).toContain('<meta name="viewport"');
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800; Secure$/,
    );
  });

  it('doesn’t exist if the app serves one workspace', async ({ world }) => {
    expect((await openBrowser(world).open('/slack/install')).status).toBe(404);
    expect((await openBrowser(world).open('/slack/oauth_redirect?code=1')).status).toBe(404);
  });
});

describe('installing', () => {
  it('ends with the next step, greets the installer once, and the app works', async () => {
    const { world, acme, admin, general, slack, ada, me } = await startWorld({ many: true });
    const done = await install(world, acme, admin);
    expect(done.status).toBe(200);
    expect(done.text).toContain('It’s now in Acme');
    expect(done.text).toContain('/design-request connect');
    expect(linkOf(done, 'Open Slack')).toBe(
      `${new URL(slack.authorizeUrl).origin}/app_redirect?app=${slack.appId}&team=${acme.id}`,
    );
    await slack.until(() => acme.directMessages(admin)[0], 'the greeting');
    expect(acme.directMessages(admin)[0]?.text).toContain('/design-request connect');

    // The token is stored.
    await world.restart();
    await connect(world, ada, world.service.issueKey());
    await sentRequest(world, me);
    // Installed again, for example for new scopes: nobody is greeted twice.
    await install(world, acme, admin);
    await sendRequest(world, me);
    await slack.until(() => acme.messages(general)[1], 'the second confirmation');
    const greetings = acme.directMessages(admin).filter(({ text }) => text.includes('installing'));
    expect(greetings).toHaveLength(1);
  });

  it('in two workspaces at once keeps them separate', async () => {
    const { world, acme, admin, service, slack, ada, cardUrl } = await startWorld({ many: true });
    const other = slack.addWorkspace({ name: 'Other', installed: false });
    const olga = other.addUser({ name: 'Olga', admin: true });
    const lobby = other.addChannel({ name: 'lobby', members: [olga] });
    await Promise.all([install(world, acme, admin), install(world, other, olga)]);
    await connect(world, ada, service.issueKey());
    const { body } = await other.as(olga).command(lobby, 'list');
    expect(body).toBe('');
    const link = await other.as(olga).post(lobby, cardUrl('card-1001'));
    // Acme's key has no effect on Other.
    await slack.until(() => other.ephemerals(olga)[1] ?? other.directMessages(olga)[1], 'the hint');
    expect(link.attachments).toEqual([]);
    expect(service.calls({ operation: 'getCard' })).toEqual([]);
  });

  it('works over a socket, too', async () => {
    const { world, acme, admin, ada } = await startWorld({ many: true, transport: 'socket' });
    await install(world, acme, admin);
    await connect(world, ada, world.service.issueKey());
    await sentRequest(world, acme.as(world.ann));
  });

  it('shows workspace names as text', async () => {
    const { world, slack } = await startWorld({ many: true });
    const evil = slack.addWorkspace({ name: '<b onload=x>"&Co', installed: false });
    const done = await install(world, evil, evil.addUser({ name: 'Eve', admin: true }));
    expect(done.text).toContain('It’s now in &lt;b onload=x&gt;&quot;&amp;Co');
  });
});

describe('the OAuth redirect', () => {
  const began = async () => {
    const world = await startWorld({ many: true });
    const browser = openBrowser(world);
    const back = await allow(world, browser, { workspace: world.acme, user: world.admin });
    const exchanges = () =>
      world.slack.apiCalls.filter(({ method }) => method === 'oauth.v2.access').length;
    return { ...world, browser, back, exchanges };
  };

  it('is accepted only in the browser in which the installation started', async () => {
    const { world, browser, back, exchanges } = await began();
    const other = openBrowser(world);
    expect((await other.open(back)).status).toBe(400);
    await other.open('/slack/install');
    expect((await other.open(back)).text).toContain('was opened in another browser');
    expect(exchanges()).toBe(0);
    expect((await browser.open(back)).text).toContain('is installed');
  });

  it('is accepted once, in each of several tabs', async () => {
    const { world, browser, back } = await began();
    const second = await allow(world, browser, { workspace: world.acme, user: world.admin });
    expect((await browser.open(back)).status).toBe(200);
    expect((await browser.open(second)).status).toBe(200);
    expect((await browser.open(back)).text).toContain('when a page is opened twice');
  });

  it('is refused if the state was changed', async () => {
    const { world, browser, back, exchanges } = await began();
    const state = new URL(back).searchParams.get('state') ?? '';
    for (const bad of [`${state}x`, `${state}.x`, '.', 'undefined', 'undefined.confirmed', '%00']) {
      const url = new URL(back);
      url.searchParams.set('state', bad);
      for (const someone of [browser, openBrowser(world)]) {
        expect((await someone.open(url.toString())).status).toBe(400);
      }
    }
    expect(exchanges()).toBe(0);
  });

  it('without a state installs nothing until the person confirms in this browser', async () => {
    const { world, back, exchanges } = await began();
    // As from an organization's admin page: no state and no redirect address.
    const page = world.slack.authorize(
      world.acme,
      world.admin,
      `${world.slack.authorizeUrl}?client_id=${world.slack.clientId}&scope=commands`,
    );
    expect(new URL(page).searchParams.has('state')).toBe(false);
    expect(new URL(back).searchParams.has('state')).toBe(true);
    const browser = openBrowser(world);
    const asked = await browser.open(page);
    expect(asked.text).toContain('Finish installing Design Request?');
    expect(exchanges()).toBe(0);
    const fields = [...asked.text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
      ([, k = '', v = '']): [string, string] => [k, v],
    );
    const confirmed = `/slack/oauth_redirect?${new URLSearchParams(fields)}`;
    // And nobody else can send a browser past the confirmation.
    expect((await openBrowser(world).open(confirmed)).status).toBe(400);
    expect(exchanges()).toBe(0);
    expect((await browser.open(confirmed)).text).toContain('is installed');
  });

  it('explains what happened if the person pressed Cancel, something is missing, or Slack refuses', async () => {
    const { world, browser, back } = await began();
    const denied = await browser.open('/slack/oauth_redirect?error=access_denied&state=x');
    expect(denied.text).toContain('Nothing was installed');
    expect(linkOf(denied, 'Start again')).toBe('install');
    expect((await browser.open('/slack/oauth_redirect')).status).toBe(400);
    expect((await browser.open('/slack/oauth_redirect?code=')).text).toContain('doesn’t work');
    const wrong = new URL(back);
    wrong.searchParams.set('code', 'guessed');
    expect((await browser.open(wrong.toString())).text).toContain('Slack didn’t confirm');
    world.slack.faults.add({ kind: 'drop', method: 'oauth.v2.access' });
    const later = await allow(world, browser, { workspace: world.acme, user: world.admin });
    const failed = await browser.open(later);
    expect(failed.status).toBe(502);
    const [reference = '?'] = /E-[0-9A-Z]{6}/.exec(failed.text) ?? [];
    expect(world.logLines.join('')).toContain(reference);
    expect(world.logLines.join('')).not.toContain(new URL(later).searchParams.get('code'));
  });
});
