import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isScalar, isSeq, parse, parseDocument } from 'yaml';
import { type Route, routesOf } from '../../../src/slack/listener/routes.ts';
import { SCOPES } from '../../../src/slack/words/install.ts';
import { ALL_ROUTES } from '../../slack/all-routes.ts';
import { slackManifest } from '../../stand-ins/slack/manifest.ts';

const text = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8');
const manifest = slackManifest.parse(parse(text));
const scopes = manifest.oauth_config.scopes.bot;
const events = manifest.settings.event_subscriptions.bot_events;

/** The scope of each method that the app calls. Source: docs.slack.dev/reference/methods. */
const SCOPE_OF_METHOD: Record<string, string | undefined> = {
  'auth.test': undefined,
  'chat.postMessage': 'chat:write',
  'chat.postEphemeral': 'chat:write',
  'chat.update': 'chat:write',
  'chat.delete': 'chat:write',
  'chat.unfurl': 'links:write',
  'entity.presentDetails': undefined,
  'files.info': 'files:read',
  'functions.completeError': undefined,
  'functions.completeSuccess': undefined,
  'chat.getPermalink': undefined,
  'users.info': 'users:read',
  'users.list': 'users:read',
  'views.open': undefined,
  'views.publish': undefined,
  'views.push': undefined,
  'views.update': undefined,
  'conversations.info': 'channels:read',
  'conversations.members': 'channels:read',
};

/** For private channels, and for posting in public ones that the app isn't in. Source: docs.slack.dev/reference/scopes. */
const OF_CONVERSATIONS = ['groups:read', 'chat:write.public'];

/** Source: docs.slack.dev/reference/events. */
const SCOPE_OF_EVENT: Record<string, string> = { link_shared: 'links:read' };

describe('manifest.yml', () => {
  it('contains only what Slack accepts, and no key that wasn’t checked', () => {
    expect(slackManifest.safeParse(parse(text)).error).toBeUndefined();
    expect(slackManifest.safeParse({ ...manifest, workflows: {} }).success).toBe(false);
  });

  it('explains every scope and event', () => {
    const document = parseDocument(text);
    for (const at of [
      ['oauth_config', 'scopes', 'bot'],
      ['settings', 'event_subscriptions', 'bot_events'],
    ]) {
      const list = document.getIn(at);
      if (!isSeq(list)) throw new Error(`no list at ${at.join('.')}`);
      expect(list.items.length).toBeGreaterThan(0);
      for (const item of list.items) {
        expect(isScalar(item) && item.comment, String(item)).toMatch(/\w/);
      }
    }
  });

  it('lists each scope, event, and domain once', () => {
    for (const list of [scopes, events, manifest.features.unfurl_domains]) {
      expect(list).toEqual([...new Set(list)]);
    }
  });

  it('lets the app send direct messages, which can’t be replied to', () => {
    expect(manifest.features.app_home).toEqual({
      home_tab_enabled: true,
      messages_tab_enabled: true,
      messages_tab_read_only_enabled: true,
    });
  });

  it('names shortcuts by what they do, as Slack’s Marketplace requires', () => {
    for (const { name } of manifest.features.shortcuts) {
      expect(name).toMatch(/^(?:Create|Request) /);
    }
  });
});

describe('what the app handles', () => {
  const idsOf = (...kinds: Route['kind'][]) =>
    [...routesOf(ALL_ROUTES, ...kinds).keys()].toSorted();

  it('is exactly what the manifest subscribes to', () => {
    const { slash_commands, shortcuts } = manifest.features;
    expect(idsOf('step', 'step-options')).toEqual(Object.keys(manifest.functions ?? {}).toSorted());
    const handled = [...idsOf('links', 'opened', 'event'), 'function_executed'];
    expect(handled.toSorted()).toEqual(events.toSorted());
    expect(idsOf('command')).toEqual(slash_commands.map(({ command }) => command));
    expect(idsOf('shortcut')).toEqual(shortcuts.map(({ callback_id }) => callback_id).toSorted());
    // Buttons and menus need it.
    expect(manifest.settings.interactivity.is_enabled).toBe(true);
  });
});

describe('the scopes', () => {
  it('are those that the app requests on its install page, each explained there', () => {
    expect(Object.keys(SCOPES).toSorted()).toEqual(scopes.toSorted());
  });

  it('are exactly those that the app’s calls, events, and command need', () => {
    expect(methodsInSource()).toEqual(Object.keys(SCOPE_OF_METHOD).toSorted());
    const needed = [
      'commands',
      ...OF_CONVERSATIONS,
      ...events.map((event) => SCOPE_OF_EVENT[event]),
      ...Object.values(SCOPE_OF_METHOD),
    ];
    const unique = new Set(needed.filter((scope) => scope !== undefined));
    expect(scopes.toSorted()).toEqual([...unique].toSorted());
  });
});

/** Called with an organization's token. */
const OF_ORGANIZATIONS = 'auth.teams.list';

/** Every method that the code names. */
function methodsInSource(): string[] {
  const folder = fileURLToPath(new URL('../../../src/slack', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const named = /\bclient\s*\.(?:paginate\('([\w.]+)'|(\w+\s*\.\w+)\b(?!\.))/g;
  const found = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(named)].map(
      ([, paged, called = '']) => paged ?? called.replaceAll(/\s/g, ''),
    ),
  );
  return [...new Set(found)].filter((method) => method !== OF_ORGANIZATIONS).toSorted();
}
