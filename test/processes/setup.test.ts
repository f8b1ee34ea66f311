import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStores } from '../../src/store/stores.ts';
import { T1 } from '../installations/ids.ts';
import { seesCompleteForm } from '../sandbox/complete-form.ts';
import { makeMigratedFile } from '../store/migrated-file.ts';
import { openForTest } from '../store/sqlite-files.ts';
import { encryptionKey, keyringSetting } from '../store/stores-under-test.ts';
import { runNpm } from './npm.ts';
import { settingUp } from './setup.ts';

const CTRL_C = '\x03';
const DOWN = '\x1b[B';
const A_CARD = 'https://app.example.com/card/1004?utm_source=mail';
const TEMPLATE = 'https://app.example.com/card/{id}';
const PUBLIC_URL = 'https://requests.example.org';

/** The steps in docs/setup.md, without their numbers. */
function documentedSteps(): string[] {
  const page = readFileSync(new URL('../../docs/setup.md', import.meta.url), 'utf8');
  const section = page.split('\n## ').find((one) => one.startsWith('The steps\n')) ?? '';
  return [...section.matchAll(/^\d+\. (.*)$/gm)].map(([, what = '']) => what);
}

describe('setting the app up', { timeout: 60_000 }, () => {
  it('takes a new clone to a first form in the documented steps, with one decision', async () => {
    const { stage, cwd, setupByNpm, written } = await settingUp();
    const { slack, service, acme, ann, general } = stage;
    const steps: string[] = [];
    const step = (what: string) => steps.push(what);

    step('Run `npm ci && npm run app -- setup && npm start`.');
    const person = setupByNpm();
    await person.sees(/API address/);
    step('Type the address of the service’s API.');
    person.answers(service.url);
    await person.sees(/API key \(dashboard/);
    step('Paste an API key of the service.');
    person.answers(service.apiKey);
    await person.sees(/6 request types, 300 brands/);
    await person.sees(/link of any card/);
    step('Paste the link of any card.');
    person.answers(A_CARD);
    await person.sees(/How should Slack reach the app/);
    step('Choose Socket Mode (Enter) or HTTP. This is the only decision.');
    person.answers('');
    await person.sees(/The access token/);
    step('At Slack, press *Generate Token* and choose the workspace.');
    const configToken = slack.issueConfigToken();
    step('Paste the access token.');
    person.answers(configToken);
    await person.sees(/Bot User OAuth Token/);
    step('At Slack, press *Install* and *Allow*.');
    const botToken = acme.install();
    step('Paste the bot token.');
    person.answers(botToken);
    await person.sees(/That token \(xapp/);
    step('At Slack, generate an app-level token with the scope `connections:write`.');
    step('Paste it.');
    person.answers(slack.appToken);
    expect(await person.npmEnded).toBe(0);
    expect(person.screen()).toContain('What’s next:');
    expect(person.screen()).not.toContain('.env not found');

    const secrets = [service.apiKey, configToken, botToken, slack.appToken, slack.signingSecret];
    expect(secrets.filter((secret) => person.screen().includes(secret))).toEqual([]);
    expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600);
    expect(written()).toMatchObject({
      CARD_URL_TEMPLATE: TEMPLATE,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      ENCRYPTION_KEYS: expect.stringMatching(/^k\d{4}-\d\d-\d\d:/),
    });
    expect(written()).not.toHaveProperty('SLACK_CONFIG_TOKEN');

    const app = runNpm(['start'], { cwd, env: { PORT: '0', HOST: '127.0.0.1' } });
    await app.until(/"msg":"ready"/);
    step('In Slack, type `/design-request`.');
    const me = acme.as(ann);
    await me.command(general, 'Spring banner');
    await slack.until(() => seesCompleteForm(me), 'the form');
    app.killGroup('SIGTERM');
    await app.allEnded;

    expect(steps).toEqual(documentedSteps());
    expect(steps.length).toBeLessThanOrEqual(12);
  });

  it('asks again after a wrong answer, with the reason, and creates the app in the browser', async () => {
    const { stage, setup, written } = await settingUp();
    const { slack, service, acme } = stage;
    const person = setup();
    await person.sees(/API address/);
    person.answers('ftp://service.example.com');
    await person.sees(/must be an https/);
    person.write('\x15');
    person.answers(service.url.replace('//', '//ada:secret@'));
    await person.sees(/can’t have a user name or password/);
    person.write('\x15');
    person.answers(service.url);
    await person.sees(/API key \(dashboard/);
    person.answers('wrong-key');
    await person.sees(/The service refused the API key/);
    person.write('\x15');
    person.answers('');
    await person.sees(/link of any card/);
    person.answers('https://app.example.com/dashboard');
    await person.sees(/no card ID in that link/);
    person.write('\x15');
    person.answers(A_CARD);
    await person.sees(/How should Slack reach the app/);
    person.answers(DOWN);
    await person.sees(/public address/);
    person.answers('http://127.0.0.1:3000');
    await person.sees(/only reaches https/);
    person.write('\x15');
    person.answers(PUBLIC_URL);
    await person.sees(/The access token/);
    person.answers('xoxe.xoxp-1-unknown');
    await person.sees(/know this app configuration token/);
    person.write('\x15');
    person.answers('');
    await person.sees(/Signing Secret, at/);
    expect(person.screen()).toContain('https://api.slack.com/apps?new_app=1&manifest_yaml=');
    person.answers(slack.signingSecret.toUpperCase());
    await person.sees(/SLACK_SIGNING_SECRET must be 32 characters/);
    person.write('\x15');
    person.answers(slack.signingSecret);
    await person.sees(/Bot User OAuth Token/);
    person.answers('xoxp-a-person');
    await person.sees(/must start with xoxb-/);
    person.write('\x15');
    person.answers(acme.install());
    expect(await person.npmEnded).toBe(0);
    expect(person.screen()).toMatch(/let Slack verify that: open .* and press Retry/);
    expect(person.screen()).toContain('/design-request connect');
    expect(written()).toMatchObject({ PUBLIC_URL, SLACK_SIGNING_SECRET: slack.signingSecret });
    expect(written()).toMatchObject({ DESIGN_API_KEY: '', SLACK_APP_TOKEN: '' });
  });

  it('leaves nothing behind when it is interrupted, and continues with the app that it created', async () => {
    const { stage, cwd, setup, written } = await settingUp();
    const { slack, service, acme } = stage;
    const given = { DESIGN_API_KEY: service.apiKey };
    const flags = ['--service-url', service.url, '--card-link', A_CARD, '--mode', 'http'];
    const person = setup([...flags, '--public-url', PUBLIC_URL], {
      ...given,
      SLACK_CONFIG_TOKEN: slack.issueConfigToken(),
    });
    await person.sees(/Bot User OAuth Token/);
    person.write(CTRL_C);
    expect(await person.npmEnded).toBe(130);
    expect(person.screen()).toContain('Nothing was written.');
    expect(person.screen()).toContain(`npm run app -- setup --app ${slack.appId}`);
    expect(readdirSync(cwd).filter((name) => name.startsWith('.env'))).toEqual(['.env.example']);

    const again = setup([...flags, '--public-url', PUBLIC_URL, '--app', slack.appId], given);
    await again.sees(/Signing Secret, at/);
    again.answers(slack.signingSecret);
    await again.sees(/Bot User OAuth Token/);
    again.answers(acme.install());
    expect(await again.npmEnded).toBe(0);
    expect(written()).toMatchObject({ SLACK_SIGNING_SECRET: slack.signingSecret });
  });

  it('makes no new key for a database that another one encrypted', async () => {
    const { setup, written, cwd } = await settingUp();
    const path = join(cwd, 'data/design-request.db');
    mkdirSync(join(cwd, 'data'));
    await makeMigratedFile(path);
    const { keys } = createStores(openForTest(path), [encryptionKey('k1')]);
    await keys.save(T1, 'dsk_0123456789', 'U1', new Date());
    const lost = setup();
    expect(await lost.npmEnded).toBe(1);
    expect(lost.screen()).toMatch(
      /The database \.\/data\/design-request\.db has .* encrypted with an ENCRYPTION_KEYS that is no longer/,
    );
    expect(lost.screen()).toMatch(/Put back the old \.env.*\s.*To begin again/);
    expect(lost.screen()).not.toContain('after the first one');

    // Another key under its ID.
    writeFileSync(join(cwd, '.env'), `ENCRYPTION_KEYS=${keyringSetting([encryptionKey('k1')])}\n`);
    const wrong = setup();
    expect(await wrong.npmEnded).toBe(1);
    expect(wrong.screen()).toContain('"k1", which encrypted 1 API keys or tokens');
    expect(Object.keys(written())).toEqual(['ENCRYPTION_KEYS']);
  });

  it('keeps the answers that work when it is interrupted, and takes them up', async () => {
    const { stage, setup, written } = await settingUp();
    const { service } = stage;
    const person = setup();
    await person.sees(/up to seven questions/);
    await person.sees(/API address/);
    person.answers(`"${service.url}"`);
    await person.sees(/API key \(/);
    person.write(CTRL_C);
    expect(await person.npmEnded).toBe(130);
    expect(person.screen()).toContain('.env has your answers so far');
    expect(written()).toMatchObject({ DESIGN_API_BASE_URL: service.url, ENCRYPTION_KEYS: '' });

    const again = setup();
    await again.sees(/DESIGN_API_BASE_URL works/);
    await again.sees(/API key \(/);
    again.endInput();
    expect(await again.npmEnded).toBe(130);
    expect(again.screen()).toContain('There is no terminal to answer in.');
  });

  it('asks for the address again if the service has nothing there for the key, and keeps the key', async () => {
    const { stage, setup, written } = await settingUp();
    const { service } = stage;
    const person = setup();
    await person.sees(/API address/);
    // Without its path; the service refuses everything without a key alike.
    const { origin } = new URL(service.url);
    person.answers(origin);
    await person.sees(/API key \(/);
    person.answers('wrong-key');
    await person.sees(/The service refused the API key/);
    person.write('\x15');
    person.answers(service.apiKey);
    await person.sees(/✗ DESIGN_API_BASE_URL doesn’t work: .*: HTTP 404\. Check.*\s+.*API address/);
    person.answers(`${service.url}/brands`);
    await person.sees(/HTTP 404\. Check/);
    person.write('\x15');
    person.answers(service.url);
    await person.sees(/✓ DESIGN_API_KEY works/);
    person.write(CTRL_C);
    expect(await person.npmEnded).toBe(130);
    const kept = { DESIGN_API_BASE_URL: service.url, DESIGN_API_KEY: service.apiKey };
    expect(written()).toMatchObject(kept);

    const unasked = setup(['--yes', '--service-url', origin]);
    expect(await unasked.npmEnded).toBe(1);
    expect(unasked.screen()).toMatch(
      /✗ DESIGN_API_BASE_URL doesn’t work: .*HTTP 404\..*\n--yes needs a DESIGN_API_BASE_URL/,
    );
  });

  it('refuses an address of another service, goes back from the key, and asks for a second link if the first has two numbers', async () => {
    const { stage, setup, written } = await settingUp();
    const { slack, service, acme } = stage;
    const person = setup();
    await person.sees(/API address/);
    person.answers(slack.apiUrl);
    await person.sees(/What answers at .* is not the design service: HTTP \d/);
    person.write('\x15');
    person.answers(service.url);
    await person.sees(/API key \(/);
    person.answers('back');
    await person.sees(/API address/);
    person.answers(service.url);
    await person.sees(/API key \(/);
    person.answers(`'${service.apiKey}'`);
    await person.sees(/link of any card/);
    person.answers('https://app.example.com/b/17/card/1004');
    await person.sees(/Only links with “17”/);
    person.answers('https://app.example.com/b/18/card/1005');
    await person.sees(/How should Slack/);
    person.answers(DOWN);
    await person.sees(/public address/);
    // What is refused one after the other differs in its words: a prompt is drawn several times.
    for (const [wrong, words] of [
      [`${PUBLIC_URL}/?x=1`, /can’t have/],
      ['https://localhost', /can’t reach/],
      [`${PUBLIC_URL}/#f`, /can’t have/],
      [PUBLIC_URL.replace('https', 'http'), /must be an https/],
      ['https://ada:secret@requests.example.org', /can’t have/],
    ] as const) {
      person.answers(wrong);
      await person.sees(words);
      person.write('\x15');
    }
    person.answers(`${PUBLIC_URL}/`);
    await person.sees(/The access token/);
    person.answers('');
    await person.sees(/Signing Secret, at/);
    person.answers(slack.signingSecret);
    await person.sees(/Bot User OAuth Token/);
    person.answers(acme.install());
    expect(await person.npmEnded).toBe(0);
    const templates = [
      'https://app.example.com/b/17/card/{id}',
      'https://app.example.com/b/18/card/{id}',
    ];
    expect(written()).toMatchObject({ PUBLIC_URL, CARD_URL_TEMPLATE: templates.join(',') });
  });

  it('asks for the partner’s name only if a type offers all products and none names them', async () => {
    const { stage, setup, written } = await settingUp();
    const { slack, service, acme } = stage;
    const flags = ['--service-url', service.url, '--card-link', A_CARD];
    const given = {
      SLACK_BOT_TOKEN: acme.install(),
      SLACK_APP_TOKEN: slack.appToken,
      DESIGN_API_KEY: service.apiKey,
    };
    const { requestTypes } = service.referenceLists;
    for (const type of requestTypes) type.products = ['Graphics'];
    const unasked = setup(flags, given);
    expect(await unasked.npmEnded).toBe(0);
    expect(unasked.screen()).not.toContain('partner');
    expect(written().DESIGN_PARTNER_NAME).toBe('');
    for (const type of requestTypes.slice(0, 1)) type.products = [];
    const person = setup(flags, given);
    await person.sees(/first word of its two partner products/);
    person.answers('Canvas');
    expect(await person.npmEnded).toBe(0);
    expect(written()).toMatchObject({ DESIGN_PARTNER_NAME: 'Canvas' });
  });

  it.each([
    [
      'a key that the service refuses',
      { DESIGN_API_KEY: 'revoked' },
      /DESIGN_API_KEY doesn’t work/,
    ],
    ['a setting that isn’t asked for', { PORT: 'abc' }, /✗ PORT must be a port number/],
  ])('stops with --yes at %s, and writes nothing', async (_what, wrong, words) => {
    const { stage, cwd, setup } = await settingUp();
    const { slack, service, acme } = stage;
    const flags = ['--yes', '--service-url', service.url, '--card-link', A_CARD];
    const run = setup(flags, {
      SLACK_BOT_TOKEN: acme.install(),
      SLACK_APP_TOKEN: slack.appToken,
      DESIGN_API_KEY: service.apiKey,
      ...wrong,
    });
    expect(await run.npmEnded).toBe(1);
    expect(run.screen()).toMatch(words);
    expect(existsSync(join(cwd, '.env'))).toBe(false);
  });

  it('keeps what works in .env and what it doesn’t know, and replaces nothing without asking', async () => {
    const { stage, cwd, setup, written } = await settingUp();
    const { slack, service, acme } = stage;
    const path = join(cwd, '.env');
    const key = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
    const before = `# Ours.\nPROXY=http://proxy:3128\nDESIGN_API_BASE_URL=${service.url}\nENCRYPTION_KEYS=${key}\nDESIGN_API_KEY=revoked\nSLACK_SIGNING_SECRET=${'f00d'.repeat(8)}\n`;
    writeFileSync(path, before);
    chmodSync(path, 0o644);
    const flags = ['--card-link', A_CARD, '--public-url', PUBLIC_URL];
    const answersUntilConflict = async (person: ReturnType<typeof setup>) => {
      await person.sees(/DESIGN_API_BASE_URL works/);
      await person.sees(/DESIGN_API_KEY doesn’t work/);
      person.answers(service.apiKey);
      await person.sees(/Bot User OAuth Token/);
      // Nothing has used these yet.
      expect(person.screen()).toContain('✓ PUBLIC_URL is set.');
      expect(person.screen()).toContain('✓ SLACK_SIGNING_SECRET is set.');
      person.answers(acme.install());
      await person.sees(/Replace DESIGN_API_KEY in \.env\?/);
    };
    const cautious = setup(flags);
    await answersUntilConflict(cautious);
    cautious.answers('');
    expect(await cautious.npmEnded).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe(before);

    const bold = setup(flags);
    await answersUntilConflict(bold);
    bold.answers(DOWN);
    expect(await bold.npmEnded).toBe(0);
    expect(readFileSync(path, 'utf8')).toMatch(/^# Ours\.\nPROXY=http:\/\/proxy:3128\n/);
    expect(written()).toMatchObject({ ENCRYPTION_KEYS: key, DESIGN_API_KEY: service.apiKey });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(slack.apiCalls.map(({ method }) => method)).not.toContain('apps.manifest.create');
  });

  it('asks nothing with --yes, and names what is missing', async () => {
    const { stage, cwd, setup, written } = await settingUp();
    const { slack, service, acme } = stage;
    const flags = ['--yes', '--service-url', service.url, '--card-link', A_CARD];
    const incomplete = setup(flags);
    expect(await incomplete.npmEnded).toBe(1);
    expect(incomplete.screen()).toContain('--yes needs a SLACK_BOT_TOKEN that works.');
    expect(existsSync(join(cwd, '.env'))).toBe(false);

    const wrong = setup(['--yes', '--service-url', 'ftp://service.example.com']);
    expect(await wrong.npmEnded).toBe(1);
    expect(wrong.screen()).toMatch(
      /must be an https:.*\n--yes needs a DESIGN_API_BASE_URL that works\./,
    );

    const complete = setup([...flags, '--secrets-from-stdin']);
    complete.write(
      `DESIGN_API_KEY=${service.apiKey}\nSLACK_BOT_TOKEN=${acme.install()}\nSLACK_APP_TOKEN=${slack.appToken}\n`,
    );
    complete.endInput();
    expect(await complete.npmEnded).toBe(0);
    expect(written()).toMatchObject({
      SLACK_APP_TOKEN: slack.appToken,
      CARD_URL_TEMPLATE: TEMPLATE,
    });

    const path = join(cwd, '.env');
    const before = readFileSync(path, 'utf8');
    chmodSync(path, 0o644);
    const again = setup(['--yes']);
    expect(await again.npmEnded).toBe(0);
    expect(again.screen()).toContain('only this user can read it');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it.each([
    ['sqlite:/dev/null/app.db', /^! .*\/dev\/null/m],
    ['postgres://u:p@127.0.0.1:2/db', /^! .*127\.0\.0\.1:2\/db can't be used: the connection was/m],
  ])('creates an app for many workspaces without anybody, and tests %s', async (url, problem) => {
    const { stage, setup, written } = await settingUp();
    const { slack, service } = stage;
    const run = setup(
      [
        ...['--yes', '--many', '--mode', 'http', '--public-url', PUBLIC_URL],
        ...['--service-url', service.url, '--card-link', A_CARD],
      ],
      {
        SLACK_CONFIG_TOKEN: slack.issueConfigToken(),
        DESIGN_API_KEY: service.apiKey,
        DATABASE_URL: url,
      },
    );
    expect(await run.npmEnded).toBe(0);
    expect(run.screen()).toMatch(problem);
    expect(written()).toMatchObject({
      SLACK_CLIENT_ID: slack.clientId,
      SLACK_CLIENT_SECRET: slack.clientSecret,
      SLACK_STATE_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
      DESIGN_API_KEY: '',
    });
    expect(slack.state.manifest.redirectUrls).toEqual([`${PUBLIC_URL}/slack/oauth_redirect`]);
  });
});
