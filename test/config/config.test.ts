import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Config, parseConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { HOW_TO_GET, type SettingName } from '../../src/config/help.ts';
import { createCardLinks } from '../../src/references.ts';
import { nameOf } from '../../src/store/database-location.ts';
import { separateTls } from '../../src/store/postgres/tls.ts';
import { anyCharacter, anyUrl } from '../any-text.ts';

const keyOf = (bytes = 32) => Buffer.alloc(bytes, 7).toString('base64');

/** The minimum for a valid configuration. */
const LEAST: Record<string, string> = {
  SLACK_BOT_TOKEN: 'xoxb-1-2-abc',
  SLACK_SIGNING_SECRET: 'f00d'.repeat(8),
  DESIGN_API_BASE_URL: 'https://api.example.com/v1',
  CARD_URL_TEMPLATE: 'https://app.example.com/card/{id}',
  ENCRYPTION_KEYS: `k1:${keyOf()}`,
};

/** Many workspaces. */
const OAUTH = {
  SLACK_BOT_TOKEN: undefined,
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'a-client-secret',
  PUBLIC_URL: 'https://requests.example.com/apps/',
};

type Changes = Record<string, string | undefined>;

const parse = (changes: Changes = {}): Config => parseConfig({ ...LEAST, ...changes });

function refusal(env: Changes): ConfigError {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('this environment was accepted');
}

/** The one problem caused by these changes. */
function problemOf(changes: Changes): string {
  const { problems } = refusal({ ...LEAST, ...changes });
  expect(problems).toHaveLength(1);
  return `${problems[0]?.setting} ${problems[0]?.problem}`;
}

/** Which they are is in .env.example, whose test compares them. */
describe('the defaults', () => {
  it('listen on this machine only in Socket Mode, unless told otherwise', () => {
    const hostOf = (env: Record<string, string>) => parse(env).server.host;
    const socket = { SLACK_APP_TOKEN: 'xapp-1' };
    expect(hostOf({})).toBe('0.0.0.0');
    expect(hostOf(socket)).toBe('127.0.0.1');
    expect(hostOf({ ...socket, HOST: '0.0.0.0' })).toBe('0.0.0.0');
    expect(hostOf({ ...socket, PUBLIC_URL: 'https://app.example.com' })).toBe('0.0.0.0');
    expect(hostOf({ HOST: '::1' })).toBe('::1');
  });

  it('apply to empty and blank variables too', () => {
    const blank = { PORT: '', HOST: '   ', LOG_LEVEL: '', DESIGN_API_KEY: ' ', DATABASE_URL: '' };
    expect(parse(blank)).toEqual(parse());
  });

  it('are not used for a Postgres database, however its scheme is spelled', () => {
    for (const url of ['postgres://u:p@db.example.com/app', 'postgresql://db/app?sslmode=require'])
      expect(parse({ DATABASE_URL: url }).database).toEqual({ url });
  });

  it('are replaced by what is set', () => {
    const config = parse({
      LOG_LEVEL: 'debug',
      DESIGN_API_TIMEZONE: 'Europe/Berlin',
      METRICS_TOKEN: 'metrics',
      SLACK_API_URL: 'https://slack-gov.com/api',
    });
    expect(config).toMatchObject({
      slack: { apiUrl: 'https://slack-gov.com/api/' },
      designApi: { timezone: 'Europe/Berlin' },
      metricsToken: 'metrics',
      logLevel: 'debug',
    });
  });

  it('name a web address or an email address for support', () => {
    const { supportUrl } = parse({ SUPPORT_CONTACT: 'https://example.com/help' });
    expect(supportUrl).toBe('https://example.com/help');
  });

  it('don’t affect values pasted with spaces and line ends, which are trimmed', () => {
    expect(parse({ SLACK_BOT_TOKEN: ' xoxb-1\n' }).slack.access).toEqual({
      kind: 'token',
      botToken: 'xoxb-1',
    });
  });
});

describe('DATABASE_URL, as platforms document it,', () => {
  /** Where pg connects to. */
  function clientOf(url: string) {
    const { database } = parse({ DATABASE_URL: url });
    if (!('url' in database)) throw new Error('not a URL');
    const { url: connectionString, ssl } = separateTls(database.url);
    const { host, port, user, password, database: name } = new pg.Client({ connectionString, ssl });
    return { host, port, user, password, name };
  }
  const usual = { host: 'h', port: 5432, user: 'u', password: 'p', name: 'db' };

  it.each([
    ['postgresql://u:p@h:5432/db', {}],
    ['POSTGRES://u:p@h/db', {}],
    ['postgres://u:p@h/db?sslmode=require&channel_binding=require', {}],
    ['postgres://u:p@h/db?options=endpoint%3Dep-cool-name', {}],
    ['postgres://u:p@h/db?pgbouncer=true&connection_limit=1&schema=public', {}],
    ['postgres://h/db?user=u&password=p', {}],
    ['postgres://u:p@[::1]:6432/db', { host: '::1', port: 6432 }],
    ['postgresql://u:p@/db?host=/cloudsql/p:region:i', { host: '/cloudsql/p:region:i' }],
    ['postgres://u:p@localhost/db?host=/var/run/postgresql', { host: '/var/run/postgresql' }],
    ['postgres://u:p@%2Fvar%2Frun%2Fpostgresql/db', { host: '/var/run/postgresql' }],
    ['postgres://u:p%40%2F%3Fs@h/db', { password: 'p@/?s' }],
    ['postgres://u:p@ss@h/db', { password: 'p@ss' }],
  ])('works: %s', (url, different) => {
    expect(clientOf(url)).toEqual({ ...usual, ...different });
  });

  it('never has its password printed, whatever characters it has, and says what to do', () => {
    const special = fc.constantFrom(...'@/?#[]%:&= ', '//', '@/', '?@', 'a', '7');
    fc.assert(
      fc.property(fc.array(special, { minLength: 1 }), (between) => {
        const password = `hunter${between.map((one) => `${one}hunter`).join('')}`;
        const url = `postgres://u:${password}@db.example.com:5432/name`;
        try {
          const { database } = parse({ DATABASE_URL: url });
          expect(nameOf(database)).not.toContain('hunter');
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          expect(error.message).not.toContain('hunter');
          expect(error.message).toContain('percent-encoded');
        }
      }),
    );
  });
});

describe('a value that is wrapped in quotes', () => {
  it('is refused by name, whichever setting it is, and without the value', () => {
    for (const setting of Object.keys(HOW_TO_GET))
      for (const [quote, end] of ['" "', "' '", '` `', '“ ”', '„ “', '‘ ’', '« »', '\\" \\"'].map(
        (pair) => pair.split(' '),
      )) {
        const value = LEAST[setting] ?? 'x';
        const { problems, message } = refusal({ ...LEAST, [setting]: `${quote}${value}${end}` });
        const [problem] = problems.filter((one) => one.setting === setting);
        expect(problem?.problem, setting).toContain('is wrapped in quotes');
        expect(message).not.toContain(`${quote}${value}`);
      }
  });
});

describe('a missing setting', () => {
  it('is listed together with all others, each with how to get it', () => {
    const { message, problems } = refusal({});
    const settings: SettingName[] = [
      'DESIGN_API_BASE_URL',
      'CARD_URL_TEMPLATE',
      'ENCRYPTION_KEYS',
      'SLACK_BOT_TOKEN',
      'SLACK_SIGNING_SECRET',
    ];
    expect(problems.map(({ setting }) => setting)).toEqual(settings);
    for (const setting of settings) {
      expect(message).toContain(`${setting} is missing`);
      expect(message).toContain(HOW_TO_GET[setting]);
    }
    expect(message).toContain('5 settings need attention');
  });

  it('is listed together with malformed ones', () => {
    const { problems } = refusal({ ...LEAST, SLACK_BOT_TOKEN: '', PORT: 'three', LOG_LEVEL: 'x' });
    expect(problems.map(({ setting }) => setting).sort()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'SLACK_BOT_TOKEN',
    ]);
  });
});

describe('a malformed setting', () => {
  it.each<[setting: string, value: string | undefined, problem: string, others?: Changes]>([
    ['SLACK_BOT_TOKEN', 'xoxp-1', 'must start with xoxb-'],
    ['SLACK_SIGNING_SECRET', 'F00D'.repeat(8), 'must be 32 characters, each 0–9 or a–f.'],
    ['SLACK_SIGNING_SECRET', 'f00d'.repeat(9), 'must be 32 characters, each 0–9 or a–f.'],
    ['SLACK_BOT_TOKEN', 'xoxb-ключ', 'must consist of ASCII characters without spaces.'],
    ['SLACK_APP_TOKEN', 'xoxb-1', 'must start with xapp-'],
    ['DESIGN_API_KEY', 'two words', 'must consist of ASCII characters without spaces.'],
    ['DESIGN_API_TIMEZONE', 'Mars/Olympus', 'is not a known time zone.'],
    ['DESIGN_API_BASE_URL', 'api.example.com', 'must be an https:// URL'],
    ['CARD_URL_TEMPLATE', 'https://app.example.com/card', 'one or more URLs, each with one {id}'],
    ['CARD_URL_TEMPLATE', 'https://a.example.com/{id}/{id}', 'URLs, each with one {id}'],
    ['CARD_URL_TEMPLATE', 'https://*.example.com/{id}', 'must name each host in full'],
    ['CARD_URL_TEMPLATE', ' , ', 'is empty.'],
    ['DATABASE_URL', './app.db', 'must be sqlite:<file> or a postgres:// URL.'],
    ['DATABASE_URL', 'postgres://db.example.com', 'must name a host and a database'],
    ['DATABASE_URL', 'postgres://db.example.com/app?sslmode=prefer', 'has an unknown sslmode'],
    ['DATABASE_URL', 'postgres://u:p@h1:5432,h2:5432/db', 'names several hosts'],
    ['DATABASE_URL', 'postgres://u:p@h1/db?host=h1%2Ch2', 'names several hosts'],
    ['ENCRYPTION_KEYS', keyOf(), 'must consist of id:base64 entries.'],
    ['ENCRYPTION_KEYS', `old:lost,new:${keyOf()}`, 'must begin with a key that is not lost.'],
    ['ENCRYPTION_KEYS', `k1:${keyOf()},k1:${keyOf()}`, 'has the same ID twice.'],
    ['ENCRYPTION_KEYS', `k1:${keyOf()},k2:${keyOf(31)}`, 'must have 32 bytes in each key.'],
    ['ENCRYPTION_KEYS', `k1:${keyOf()},k2:${keyOf(33)}`, 'must have 32 bytes in each key.'],
    ['PORT', '65536', 'must be a port number'],
    ['LOG_LEVEL', 'loud', 'must be one of trace, debug, info'],
    ['DESIGN_FILE_FORMAT', 'link', 'must be one of url, object'],
    ['FILE_MAX_MB', 'large', 'must be a number of MB from 1 to 1000'],
    ['SUPPORT_CONTACT', 'javascript:alert(1)', 'must be an email address'],
    ['SUPPORT_CONTACT', 'http://example.com', 'must be an email address'],
    ['SLACK_SIGNING_SECRET', undefined, 'is missing (or set SLACK_APP_TOKEN for Socket Mode).'],
    ['SLACK_CLIENT_ID', undefined, 'is missing. Serving many workspaces needs it.', OAUTH],
    ['SLACK_CLIENT_SECRET', undefined, 'is missing. Serving many workspaces needs it.', OAUTH],
    ['PUBLIC_URL', undefined, 'is missing. Serving many workspaces needs it.', OAUTH],
    ['SLACK_BOT_TOKEN', 'xoxb-1', 'is for one workspace, and the', OAUTH],
    ['DESIGN_API_KEY', 'dsk_1', 'With many, each connects its own key with', OAUTH],
  ])('%s=%s is refused: %s', (setting, value, problem, others = {}) => {
    const refused = problemOf({ ...others, [setting]: value });
    expect(refused).toMatch(new RegExp(`^${setting} `));
    expect(refused).toContain(problem);
  });

  it('is reported without its value', () => {
    const secret = 'hunter2-hunter2';
    const names = Object.keys(HOW_TO_GET);
    const env = Object.fromEntries(names.map((name) => [name, `${secret} ü`]));
    expect(refusal(env).message).not.toContain(secret);
    expect(JSON.stringify(refusal(env).problems)).not.toContain(secret);
  });
});

describe('a URL setting', () => {
  it.each(['DESIGN_API_BASE_URL', 'SLACK_API_URL', 'SLACK_AUTHORIZE_URL', 'PUBLIC_URL'])(
    '%s must be https, except on this machine',
    (setting) => {
      expect(problemOf({ [setting]: 'http://example.com/' })).toContain(`${setting} must be an`);
      expect(problemOf({ [setting]: 'http://127.0.0.1.example.com/' })).toContain('must be an');
      expect(problemOf({ [setting]: 'http://localhost@example.com/' })).toContain('must be an');
      for (const host of ['127.0.0.1:3000', 'localhost', '[::1]:3000']) {
        expect(parse({ [setting]: `http://${host}/` })).toMatchObject({ logLevel: 'info' });
      }
    },
  );

  it.each(['localhost:8080', '127.0.0.1', '[::1]', 'my_app.example.com', 'intranet'])(
    'for cards may be on %s, though Slack doesn’t unfurl all links there',
    (host) => {
      const template = `https://${host}/card/{id}`;
      expect(parse({ CARD_URL_TEMPLATE: template }).cardUrlTemplates).toEqual([template]);
    },
  );

  it('for cards may list several, the first of which is used for new links', () => {
    const first = 'https://app.example.com/card/{id}';
    const second = 'http://old.example.com/?task={id}';
    const { cardUrlTemplates } = parse({ CARD_URL_TEMPLATE: `${first} , ${second},` });
    expect(cardUrlTemplates).toEqual([first, second]);
  });
});

describe('settings that exclude or require each other', () => {
  it('an app token means Socket Mode, without a signing secret', () => {
    const http = { mode: 'http', signingSecret: 'f00d'.repeat(8) };
    expect(parse().slack.transport).toEqual(http);
    const { slack } = parse({ SLACK_APP_TOKEN: 'xapp-1-A-2', SLACK_SIGNING_SECRET: undefined });
    expect(slack.transport).toEqual({ mode: 'socket', appToken: 'xapp-1-A-2' });
  });

  it('the client’s credentials mean many workspaces', () => {
    expect(parse(OAUTH).slack.access).toEqual({
      kind: 'oauth',
      clientId: '1.2',
      clientSecret: 'a-client-secret',
      authorizeUrl: 'https://slack.com/oauth/v2/authorize',
      publicUrl: 'https://requests.example.com/apps',
    });
  });
});

describe('the keyring', () => {
  it('uses its first key to encrypt and all of them to decrypt', () => {
    const { encryptionKeys } = parse({ ENCRYPTION_KEYS: `new:${keyOf()}, old:${keyOf()}` });
    expect(encryptionKeys.map(({ id }) => id)).toEqual(['new', 'old']);
  });

  it('may name keys that are lost', () => {
    const config = parse({ ENCRYPTION_KEYS: `new:${keyOf()},old:lost, older:lost` });
    expect(config.encryptionKeys.map(({ id }) => id)).toEqual(['new']);
    expect(config.lostKeyIds).toEqual(['old', 'older']);
  });
});

describe('any environment', () => {
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    anyUrl,
    fc.integer().map(String),
    fc.constantFrom(
      ...Object.values(LEAST),
      'sqlite::memory:',
      'postgres://x',
      'https://{id}',
      'http://{id}.test/{id}',
      'https://a.test/{id},https://b.test:99999/{id}',
      'https://user:pass@a.test/#{id}',
      ',',
      'k1:,k1:AA==',
      '__proto__',
      '1e3',
    ),
  );
  const setting = fc.constantFrom(...Object.keys(HOW_TO_GET), '__proto__', 'PATH');
  const environment = fc.dictionary(setting, fc.option(value, { nil: undefined }), { maxKeys: 4 });

  it('produces a configuration or a ConfigError, nothing else', () => {
    fc.assert(
      fc.property(environment, fc.boolean(), (env, complete) => {
        try {
          const config = parseConfig(complete ? { ...LEAST, ...env } : env);
          expect(config.encryptionKeys.length).toBeGreaterThan(0);
          // The parts of the app that use a setting must accept what is accepted here.
          expect(createCardLinks(config.cardUrlTemplates).urlOf('c1')).toContain('c1');
          expect(URL.canParse(config.slack.apiUrl)).toBe(true);
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          expect(error.problems.length).toBeGreaterThan(0);
          for (const { setting } of error.problems) {
            expect(error.message).toContain(HOW_TO_GET[setting]);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
