import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { slackManifest } from '../stand-ins/slack/manifest.ts';
import { runCommand } from './entry.ts';

const CARD_URL_TEMPLATE = 'https://app.example.net/card/{id}';

describe('printing the manifest', { timeout: 60_000 }, () => {
  it('prints only the manifest to standard output, and the link to standard error', async () => {
    const env = { CARD_URL_TEMPLATE, PUBLIC_URL: 'https://requests.example.org' };
    const entry = runCommand('manifest', { env });
    expect(await entry.ended).toEqual({ code: 0, signal: null });
    const { features } = slackManifest.parse(parse(entry.stdout()));
    expect(features.slash_commands[0]?.url).toBe('https://requests.example.org/slack/events');
    expect(features.unfurl_domains).toEqual(['app.example.net']);
    const [link = ''] = /https:\/\/api\.slack\.com\/apps\?\S+/.exec(entry.stderr()) ?? [];
    const carried = new URL(link).searchParams.get('manifest_yaml') ?? '';
    expect(parse(carried)).toEqual(parse(entry.stdout()));
  });

  it('needs no URL in Socket Mode', async () => {
    const entry = runCommand('manifest', {
      env: { CARD_URL_TEMPLATE },
      args: ['--socket'],
    });
    expect(await entry.ended).toEqual({ code: 0, signal: null });
    expect(slackManifest.parse(parse(entry.stdout())).settings.socket_mode_enabled).toBe(true);
  });

  it('names what is missing and how to get it, and exits with 1', async () => {
    const entry = runCommand('manifest');
    expect(await entry.ended).toEqual({ code: 1, signal: null });
    expect(entry.stdout()).toBe('');
    expect(entry.stderr()).toMatch(/CARD_URL_TEMPLATE is missing\..*PUBLIC_URL is missing/s);
    expect(entry.stderr()).not.toMatch(/\n\s+at /);
  });

  it('says if there are more hosts than Slack unfurls, and exits with 1', async () => {
    const hosts = [1, 2, 3, 4, 5, 6].map((number) => `https://app${number}.example.net/{id}`);
    const env = { CARD_URL_TEMPLATE: hosts.join(), PUBLIC_URL: 'https://requests.example.org' };
    const entry = runCommand('manifest', { env });
    expect(await entry.ended).toEqual({ code: 1, signal: null });
    expect(entry.stderr()).toMatch(/^CARD_URL_TEMPLATE names 6 hosts/);
  });

  it.each(['*.example.com', '[::1]', 'my_app.example.com', 'localhost', '10.0.0.7'])(
    'prints nothing for card links on %s, and exits with 1',
    async (host) => {
      const env = {
        CARD_URL_TEMPLATE: `https://${host}/{id}`,
        PUBLIC_URL: 'https://requests.example.org',
      };
      const entry = runCommand('manifest', { env });
      expect(await entry.ended).toEqual({ code: 1, signal: null });
      expect(entry.stdout()).toBe('');
      expect(entry.stderr()).toMatch(/CARD_URL_TEMPLATE (?:has hosts|must name each host in full)/);
      expect(entry.stderr()).not.toMatch(/\n\s+at /);
    },
  );

  it('exits with 2 for an unknown argument', async () => {
    const entry = runCommand('manifest', { args: ['--sockets'] });
    expect(await entry.ended).toEqual({ code: 2, signal: null });
    expect(entry.stderr()).toContain('Usage: npm run app -- manifest');
  });
});
