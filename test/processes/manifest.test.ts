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
