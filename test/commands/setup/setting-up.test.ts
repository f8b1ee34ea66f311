import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import type { Asker, Setup } from '../../../src/commands/setup/ask.ts';
import { setUpService } from '../../../src/commands/setup/set-up-service.ts';
import { setUpSlack } from '../../../src/commands/setup/set-up-slack.ts';
import { openStage } from '../../sandbox/stage.ts';

const CARD = 'https://app.example.com/card/1004?utm_source=mail';
const PUBLIC_URL = 'https://requests.example.org';
const manifestTemplate = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8');

/** A person who gives these answers, one after the other; a number is a choice. */
function answering(answers: (string | number)[], said: string[]): Asker {
  const next = (question: string) => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`Nobody answers: ${question}`);
    return answer;
  };
  return {
    async ask({ message, judge }) {
      for (;;) {
        const answer = String(next(message));
        if (answer === '') return undefined;
        const judged = await judge(answer);
        if ('value' in judged) return judged.value;
        said.push(judged.problem);
      }
    },
    async choose({ message, choices }) {
      const choice = choices[Number(next(message))];
      if (!choice) throw new Error(`There is no such choice: ${message}`);
      return choice.value;
    },
  };
}

/** A setup between the stand-ins; no workspace has the app yet. */
async function settingUp() {
  const stage = await openStage({ many: true });
  onTestFinished(() => stage.close());
  const said: string[] = [];
  const setup = (answers: (string | number)[], given: Partial<Setup> = {}) => {
    const values = { SLACK_API_URL: stage.slack.apiUrl, ...given.values };
    return {
      env: {},
      manifestTemplate,
      mode: undefined,
      many: false,
      appId: undefined,
      ...given,
      values,
      asker: answering(answers, said),
      say: (line: string) => void said.push(line),
      keep: (taken: Setup['values']) => void Object.assign(values, taken),
    };
  };
  return { stage, said, setup };
}

it('asks for the service until its address and key work together, and says why', async () => {
  const { stage, said, setup } = await settingUp();
  const { service, slack } = stage;
  // Without its path; the service refuses everything without a key alike.
  const { origin } = new URL(service.url);
  const settings = setup([
    'ftp://service.example.com',
    'https://me:secret@example.com',
    slack.apiUrl,
    origin,
    'two words',
    'wrong-key',
    service.apiKey,
    `${service.url}/brands`,
    service.url,
    service.apiKey,
    'https://app.example.com/dashboard',
    'https://app.example.com/b/17/card/1004',
    'https://app.example.com/card/1004',
  ]);
  expect(await setUpService(settings)).toEqual({ isConnected: true });
  expect(said).toEqual([
    expect.stringMatching(/^The address must be an https/),
    'The address can’t have a user name or password.',
    expect.stringMatching(/^What answers at .* is not the design service: HTTP \d/),
    expect.stringMatching(/^An API key must consist of ASCII characters/),
    expect.stringMatching(/^The service refused the API key\. Paste another key, or another addr/),
    expect.stringMatching(/HTTP 404: either the key is wrong, or the address/),
    // Any address below the service's refuses everything without a key, too.
    '✓ DESIGN_API_BASE_URL works.',
    '✓ DESIGN_API_BASE_URL works.',
    expect.stringMatching(/^✓ The service accepts the key: 6 request types, 300 brands/),
    expect.stringMatching(/no card ID in that link/),
    '✓ Card links look like https://app.example.com/b/17/card/{id}.',
    expect.stringMatching(/^✓ Card links may also look like .*\/card\/\{id\}\. More can be added/),
  ]);
  expect(settings.values).toMatchObject({
    DESIGN_API_BASE_URL: service.url,
    DESIGN_API_KEY: service.apiKey,
    CARD_URL_TEMPLATE: 'https://app.example.com/b/17/card/{id},https://app.example.com/card/{id}',
  });
});

it('blames neither key nor address alone if the service answers 400', async () => {
  const { stage, said, setup } = await settingUp();
  const { service } = stage;
  service.faults.add({ kind: 'status', status: 400, operation: 'listBrands', times: 1 });
  await setUpService(setup([service.url, service.apiKey, service.apiKey, CARD]));
  expect(said.join('\n')).toContain('HTTP 400: either the key is wrong, or the address');
});

it('may leave the key out', async () => {
  const { stage, setup } = await settingUp();
  const settings = setup([stage.service.url, '', CARD]);
  expect(await setUpService(settings)).toEqual({ isConnected: false });
  expect(settings.values).toMatchObject({
    DESIGN_API_KEY: '',
    CARD_URL_TEMPLATE: 'https://app.example.com/card/{id}',
  });
});

it('over HTTP asks for a public address, and creates the app in the browser without a token', async () => {
  const { stage, said, setup } = await settingUp();
  const { slack, acme } = stage;
  const settings = setup(
    [
      1,
      'http://127.0.0.1:3000',
      'https://localhost',
      `${PUBLIC_URL}/`,
      'xoxe.xoxp-1-unknown',
      'xoxe-1-refresh',
      '',
      slack.signingSecret.toUpperCase(),
      slack.signingSecret,
      'xoxp-a-person',
      'xoxb-unknown',
      acme.install(),
    ],
    { values: { CARD_URL_TEMPLATE: 'https://app.example.com/card/{id}' } },
  );
  expect(await setUpSlack(settings)).toBe('http');
  const problems = said.filter((line) => !/^[✓\n]|^press/.test(line));
  expect(problems).toEqual([
    'Slack only reaches public https addresses.',
    'Slack only reaches public https addresses.',
    expect.stringMatching(/know this app configuration token/),
    expect.stringMatching(/^That is the refresh token/),
    expect.stringMatching(/^SLACK_SIGNING_SECRET must be 32 characters/),
    expect.stringMatching(/^SLACK_BOT_TOKEN must start with xoxb-/),
    expect.stringMatching(/^Slack refused SLACK_BOT_TOKEN \(invalid_auth\)/),
  ]);
  expect(said.join('\n')).toContain('https://api.slack.com/apps?new_app=1&manifest_yaml=');
  expect(settings.values).toMatchObject({
    PUBLIC_URL,
    SLACK_APP_TOKEN: '',
    SLACK_SIGNING_SECRET: slack.signingSecret,
  });
});
