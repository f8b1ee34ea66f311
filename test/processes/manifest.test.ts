import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { slackManifest } from '../stand-ins/slack/manifest.ts';
import { runCommand } from './entry.ts';

it('npm run app -- manifest prints only the manifest to standard output, and the link to standard error', async () => {
  const env = {
    CARD_URL_TEMPLATE: 'https://app.example.net/card/{id}',
    PUBLIC_URL: 'https://requests.example.org',
  };
  const entry = runCommand('manifest', { env });
  expect(await entry.ended).toEqual({ code: 0, signal: null });
  const { features } = slackManifest.parse(parse(entry.stdout()));
  expect(features.slash_commands[0]?.url).toBe('https://requests.example.org/slack/events');
  expect(features.unfurl_domains).toEqual(['app.example.net']);
  const [link = ''] = /https:\/\/api\.slack\.com\/apps\?\S+/.exec(entry.stderr()) ?? [];
  const carried = new URL(link).searchParams.get('manifest_yaml') ?? '';
  expect(parse(carried)).toEqual(parse(entry.stdout()));
});

it('npm run app -- manifest names what is missing and how to get it, and exits with 1', async () => {
  const entry = runCommand('manifest');
  expect(await entry.ended).toEqual({ code: 1, signal: null });
  expect(entry.stdout()).toBe('');
  expect(entry.stderr()).toMatch(/CARD_URL_TEMPLATE is missing\..*PUBLIC_URL is missing/s);
  expect(entry.stderr()).not.toMatch(/\n\s+at /);
});
