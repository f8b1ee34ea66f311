import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
const A_CARD = 'https://app.example.com/card/1004?utm_source=mail';
const TEMPLATE = 'https://app.example.com/card/{id}';
const PUBLIC_URL = 'https://requests.example.org';

function documentedSteps(): string[] {
  const page = readFileSync(new URL('../../docs/setup.md', import.meta.url), 'utf8');
  const section = page.split('\n## ').find((one) => one.startsWith('The steps\n')) ?? '';
  return [...section.matchAll(/^\d+\. (.*)$/gm)].map(([, what = '']) => what);
}

describe('setting the app up', { timeout: 120_000 }, () => {
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
    // npm passes it on, and ends after the app.
    app.kill('SIGTERM');
    expect(await app.npmEnded).toBe(0);
    expect(app.output()).toContain('"msg":"stopped"');

    expect(steps).toEqual(documentedSteps());
    expect(steps.length).toBeLessThanOrEqual(12);
  });

  it('is interrupted after it created the app, and continues with it', async () => {
    const { stage, cwd, setup, written } = await settingUp();
    const { slack, service, acme } = stage;
    const flags = ['--service-url', service.url, '--card-link', A_CARD, '--mode', 'http'];
    const person = setup([...flags, '--public-url', PUBLIC_URL], {
      DESIGN_API_KEY: service.apiKey,
      SLACK_CONFIG_TOKEN: slack.issueConfigToken(),
    });
    await person.sees(/Bot User OAuth Token/);
    person.write(CTRL_C);
    expect(await person.npmEnded).toBe(130);
    expect(person.screen()).toContain('.env has your answers so far');
    expect(readdirSync(cwd).filter((name) => name.startsWith('.env'))).toEqual([
      '.env',
      '.env.example',
    ]);

    const again = setup(['--mode', 'http']);
    await again.sees(/DESIGN_API_KEY works.*SLACK_SIGNING_SECRET is set/s);
    await again.sees(/Bot User OAuth Token/);
    again.answers('xoxb-unknown');
    await again.sees(/Slack refused SLACK_BOT_TOKEN/);
    again.write('\x15');
    again.answers(acme.install());
    expect(await again.npmEnded).toBe(0);
    expect(again.screen()).toMatch(/let Slack verify that: open .* and press Retry/);
    expect(written()).toMatchObject({ PUBLIC_URL, SLACK_SIGNING_SECRET: slack.signingSecret });
    const created = slack.apiCalls.filter(({ method }) => method === 'apps.manifest.create');
    expect(created).toHaveLength(1);
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
    expect(wrong.screen()).toContain('"k1", which encrypted 1 of the API keys and tokens');
    expect(Object.keys(written())).toEqual(['ENCRYPTION_KEYS']);
  });

  it('says so if there is no terminal', async () => {
    const { setup } = await settingUp();
    const person = setup();
    await person.sees(/API address/);
    person.endInput();
    expect(await person.npmEnded).toBe(130);
    expect(person.screen()).toContain('There is no terminal to answer in.');
  });

  it('asks nothing with --yes, and names what is missing', async () => {
    const { stage, cwd, setup, written } = await settingUp();
    const { slack, service, acme } = stage;
    const flags = ['--yes', '--service-url', service.url, '--card-link', A_CARD];
    const incomplete = setup(flags);
    expect(await incomplete.npmEnded).toBe(1);
    expect(incomplete.screen()).toContain('--yes needs a SLACK_BOT_TOKEN that works.');

    const wrong = setup(flags, { DESIGN_API_KEY: 'revoked' });
    expect(await wrong.npmEnded).toBe(1);
    expect(wrong.screen()).toMatch(
      /✗ DESIGN_API_KEY doesn’t work: .*\n--yes needs a DESIGN_API_KEY that works\./,
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

  it('creates an app for many workspaces without anybody, and tests the database', async () => {
    const { stage, setup, written } = await settingUp();
    const { slack, service } = stage;
    const run = setup(
      [
        '--yes',
        '--many',
        '--mode',
        'http',
        '--public-url',
        PUBLIC_URL,
        '--service-url',
        service.url,
        '--card-link',
        A_CARD,
      ],
      {
        SLACK_CONFIG_TOKEN: slack.issueConfigToken(),
        DESIGN_API_KEY: service.apiKey,
        DATABASE_URL: 'postgres://u:p@127.0.0.1:2/db',
        PORT: 'abc',
      },
    );
    expect(await run.npmEnded).toBe(0);
    expect(run.screen()).toMatch(/^! .*127\.0\.0\.1:2\/db can't be used: the connection was/m);
    expect(run.screen()).toContain('! PORT must be a port number.');
    expect(written()).toMatchObject({
      SLACK_CLIENT_ID: slack.clientId,
      SLACK_CLIENT_SECRET: slack.clientSecret,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      DESIGN_API_KEY: '',
      DATABASE_URL: 'postgres://u:p@127.0.0.1:2/db',
    });
    expect(slack.state.manifest.redirectUrls).toEqual([`${PUBLIC_URL}/slack/oauth_redirect`]);
    // The next steps lead to its pages.
    expect(run.screen()).toContain(`/apps/${slack.appId}/`);
  });
});
