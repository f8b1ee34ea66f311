import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { creationLink, fillManifest } from '../../../src/commands/manifest.ts';
import { ConfigError } from '../../../src/config/config-error.ts';
import { parseManifestSettings } from '../../../src/config/manifest-settings.ts';
import { OperatorError } from '../../../src/ops/operator-error.ts';
import { slackManifest } from '../../stand-ins/slack/manifest.ts';

const template = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8');
const HTTP = {
  publicUrl: 'https://requests.example.org',
  socketMode: false,
  manyWorkspaces: false,
  workflowStep: false,
  cardUrlTemplates: ['https://app.example.net/card/{id}'],
};
const filled = (changes: Partial<Parameters<typeof fillManifest>[1]> = {}) =>
  fillManifest(template, { ...HTTP, ...changes });
const read = (text: string) => slackManifest.parse(parse(text));

describe('the manifest for an environment', () => {
  it('has the public URL in every request URL, and no other host', () => {
    const { features, settings } = read(filled());
    const events = 'https://requests.example.org/slack/events';
    expect(features.slash_commands.map(({ url }) => url)).toEqual([events]);
    expect(settings.event_subscriptions.request_url).toBe(events);
    expect(settings.interactivity.request_url).toBe(events);
    expect(settings.interactivity.message_menu_options_url).toBe(events);
    expect(settings.socket_mode_enabled).toBe(false);
    expect(filled()).not.toContain('example.com');
  });

  it('has the OAuth redirect URL, and lets organizations install it, only for many workspaces', () => {
    const many = read(filled({ manyWorkspaces: true }));
    const redirects = ['https://requests.example.org/slack/oauth_redirect'];
    expect(many.oauth_config.redirect_urls).toEqual(redirects);
    expect(many.settings.org_deploy_enabled).toBe(true);
    expect(many.settings.event_subscriptions.bot_events).toContain('team_access_revoked');
    const one = read(filled());
    expect(one.oauth_config).not.toHaveProperty('redirect_urls');
    expect(one.settings.org_deploy_enabled).toBe(false);
    expect(one.settings.event_subscriptions.bot_events.join()).not.toContain('team_access');
  });

  it('has what Slack needs for the workflow step only with it', () => {
    const { functions, settings } = read(filled({ workflowStep: true }));
    expect(Object.keys(functions ?? {})).toContain('create_design_request');
    expect(settings).toMatchObject({ function_runtime: 'remote', org_deploy_enabled: true });
    const events = settings.event_subscriptions.bot_events;
    expect(events).toContain('function_executed');
    expect(events.join()).not.toContain('team_access');
    const without = filled({ manyWorkspaces: true });
    expect(read(without).functions).toBeUndefined();
    expect(without).not.toMatch(/^[^#]*function_/m);
  });

  it('lists the host of every card link once', () => {
    const cardUrlTemplates = [
      'https://app.example.net/card/{id}',
      'https://app.example.net/board?card={id}',
      'https://cards.example.org:8443/{id}',
    ];
    expect(read(filled({ cardUrlTemplates })).features.unfurl_domains).toEqual([
      'app.example.net',
      'cards.example.org',
    ]);
  });

  it('is refused with an explanation if there are more hosts than Slack unfurls', () => {
    const hosts = (count: number) =>
      Array.from({ length: count }, (_, index) => `https://app${index}.example.net/{id}`);
    expect(read(filled({ cardUrlTemplates: hosts(5) })).features.unfurl_domains).toHaveLength(5);
    expect(() => filled({ cardUrlTemplates: hosts(6) })).toThrow(
      /^CARD_URL_TEMPLATE names 6 hosts, but Slack unfurls links to at most 5: app0\.example\.net/,
    );
  });

  it.each(['localhost', '192.168.0.7', 'my_app.example.com', '*.example.com'])(
    'is refused for card links on %s, which Slack doesn’t unfurl',
    (host) => {
      const cardUrlTemplates = ['https://app.example.net/{id}', `https://${host}/{id}`];
      expect(() => filled({ cardUrlTemplates })).toThrow(
        `CARD_URL_TEMPLATE has hosts whose links Slack doesn't unfurl: ${host}.`,
      );
    },
  );

  it('lists only hosts that Slack accepts, whatever the card links are', () => {
    const host = fc.oneof(
      fc.domain(),
      fc.webAuthority(),
      fc.ipV4(),
      fc.stringMatching(/^[-_.*a-z0-9]+$/),
    );
    const template = host.map((name) => `https://${name}/{id}`).filter((url) => URL.canParse(url));
    fc.assert(
      fc.property(fc.array(template, { minLength: 1, maxLength: 7 }), (cardUrlTemplates) => {
        try {
          expect(
            slackManifest.safeParse(parse(filled({ cardUrlTemplates }))).error,
          ).toBeUndefined();
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
        }
      }),
    );
  });

  it('asks for the scope for files, as an optional one, only if the service can download them', () => {
    const { scopes } = read(filled()).oauth_config;
    expect(scopes.bot).toContain('files:read');
    expect(scopes.bot_optional).toEqual(['files:read']);
    const without = read(filled({ socketMode: true, publicUrl: undefined })).oauth_config.scopes;
    expect(without.bot).not.toContain('files:read');
    expect(without).not.toHaveProperty('bot_optional');
  });

  it('has no request URLs in Socket Mode, and no URL at all without a public one', () => {
    const socket = filled({ socketMode: true });
    expect(read(socket).settings.socket_mode_enabled).toBe(true);
    expect(socket).not.toContain('/slack/events');
    expect(filled({ socketMode: true, publicUrl: undefined })).not.toContain('https://');
  });

  it('keeps everything else, even comments', () => {
    const comments = (text: string) => text.match(/#\s.*$/gm);
    expect(comments(filled({ manyWorkspaces: true, workflowStep: true }))).toEqual(
      comments(template),
    );
    const same = {
      manyWorkspaces: true,
      workflowStep: true,
      publicUrl: 'https://example.com',
      cardUrlTemplates: ['https://app.example.com/{id}'],
    };
    expect(parse(filled(same))).toEqual(parse(template));
  });

  it('becomes a link that brings all of it to Slack, except the comments', () => {
    const link = new URL(creationLink(filled()));
    expect(link.origin + link.pathname).toBe('https://api.slack.com/apps');
    expect(link.searchParams.get('new_app')).toBe('1');
    const carried = link.searchParams.get('manifest_yaml') ?? '';
    expect(parse(carried)).toEqual(parse(filled()));
    expect(carried).not.toMatch(/#\s/);
    // Servers and browsers accept URLs of this length.
    expect(link.href.length).toBeLessThan(8_000);
  });
});

describe('the settings that fill the manifest', () => {
  const ENV = {
    PUBLIC_URL: 'https://requests.example.org',
    CARD_URL_TEMPLATE: 'https://a.example.net/{id}, https://b.example.net/{id}',
  };
  const { CARD_URL_TEMPLATE } = ENV;
  const settings = (env: Record<string, string | undefined>, socket = false, many = false) =>
    parseManifestSettings(env, { socket, many, workflowStep: false });
  const problems = (env: Record<string, string | undefined>, socket = false) => {
    try {
      settings(env, socket);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      expect(error.message).toMatch(/^The manifest can't be printed: /);
      return error.problems.map(({ setting, problem }) => `${setting} ${problem}`);
    }
  };

  it('are read before any other setting exists', () => {
    expect(settings(ENV)).toEqual({
      publicUrl: ENV.PUBLIC_URL,
      socketMode: false,
      manyWorkspaces: false,
      workflowStep: false,
      cardUrlTemplates: ['https://a.example.net/{id}', 'https://b.example.net/{id}'],
    });
    expect(settings({ ...ENV, PORT: 'none', ENCRYPTION_KEYS: 'broken' })).toEqual(settings(ENV));
  });

  it('are for Socket Mode with an app token, or on request', () => {
    const expected = { publicUrl: undefined, socketMode: true };
    expect(settings({ CARD_URL_TEMPLATE, SLACK_APP_TOKEN: 'xapp-1' })).toMatchObject(expected);
    expect(settings({ CARD_URL_TEMPLATE }, true)).toMatchObject(expected);
    expect(settings(ENV, true)).toMatchObject({ publicUrl: ENV.PUBLIC_URL, socketMode: true });
  });

  it.each([
    [{ PUBLIC_URL: 'https://example.org/apps/requests' }, 'https://example.org/apps/requests'],
    [{ PUBLIC_URL: 'https://example.org/?from=mail#top' }, 'https://example.org'],
    [{ PUBLIC_URL: 'https://example.org:8443//' }, 'https://example.org:8443'],
    // What platforms set.
    [{ RENDER_EXTERNAL_URL: 'https://app.onrender.com' }, 'https://app.onrender.com'],
    [{ RAILWAY_PUBLIC_DOMAIN: 'app.up.railway.app' }, 'https://app.up.railway.app'],
    [{ FLY_APP_NAME: 'app' }, 'https://app.fly.dev'],
    [{ HEROKU_APP_DEFAULT_DOMAIN_NAME: 'app-1.herokuapp.com' }, 'https://app-1.herokuapp.com'],
    [{ WEBSITE_HOSTNAME: 'app.azurewebsites.net' }, 'https://app.azurewebsites.net'],
    [{ FLY_APP_NAME: 'app', PUBLIC_URL: 'https://example.org' }, 'https://example.org'],
    [{ FLY_APP_NAME: ' ' }, undefined],
  ])('have the public address that %o says', (env, address) => {
    expect(settings({ CARD_URL_TEMPLATE, ...env }, true).publicUrl).toBe(address);
  });

  it('are for many workspaces with any of the client’s credentials, or on request', () => {
    expect(settings({ ...ENV, SLACK_CLIENT_SECRET: 's' }).manyWorkspaces).toBe(true);
    expect(settings(ENV, false, true).manyWorkspaces).toBe(true);
    expect(() => settings({ CARD_URL_TEMPLATE }, true, true)).toThrow(
      'PUBLIC_URL is missing. Serving many workspaces needs it.',
    );
  });

  it('are all listed at once if missing, with how to get them', () => {
    expect(problems({ PUBLIC_URL: ' ' })).toEqual([
      'CARD_URL_TEMPLATE is missing.',
      'PUBLIC_URL is missing (or add --socket for Socket Mode).',
    ]);
    expect(problems({ SLACK_APP_TOKEN: 'xoxb-1', CARD_URL_TEMPLATE: 'card' }, true)).toHaveLength(
      2,
    );
    expect(problems({ ...ENV, PUBLIC_URL: 'requests.example.org' })).toEqual([
      'PUBLIC_URL must be an https:// URL (http:// only for this machine).',
    ]);
  });

  it('need a URL that Slack can reach, except in Socket Mode', () => {
    for (const PUBLIC_URL of ['http://localhost:3000', 'https://127.0.0.1']) {
      expect(problems({ ...ENV, PUBLIC_URL })).toEqual([
        "PUBLIC_URL points to this machine, where Slack can't reach it (or add --socket for Socket Mode).",
      ]);
      expect(settings({ ...ENV, PUBLIC_URL }, true).publicUrl).toBeUndefined();
    }
  });
});
