import { z } from 'zod';
import { OperatorError } from '../ops/operator-error.ts';
import { createCardLinks } from '../service/card-links.ts';
import type { DatabaseLocation } from '../store/database-location.ts';
import { databaseSetting } from './database.ts';
import { HOW_TO_GET, type SettingName } from './help.ts';
import { type EncryptionKey, keyringSetting } from './keyring.ts';
import { list } from './list.ts';

/** The app's credentials at Slack for installing it into many workspaces. */
export type OAuthSettings = {
  clientId: string;
  clientSecret: string;
  /** Signs the `state` that goes to Slack and comes back. */
  stateSecret: string;
  authorizeUrl: string;
  /** The app's own address, without a slash at the end: Slack sends people back to it. */
  publicUrl: string;
};

export type Config = {
  slack: {
    apiUrl: string;
    /** One workspace by its bot token, or as many as install the app by OAuth. */
    access: { kind: 'token'; botToken: string } | ({ kind: 'oauth' } & OAuthSettings);
    transport: { mode: 'http'; signingSecret: string } | { mode: 'socket'; appToken: string };
  };
  designApi: {
    baseUrl: string;
    /** Seeds the store for the bot token's workspace at first start. */
    apiKey: string | undefined;
    timezone: string;
    partnerName: string;
  };
  /** At least one; the first is used for new links. */
  cardUrlTemplates: string[];
  database: DatabaseLocation;
  /** At least one; the first seals, all open. */
  encryptionKeys: EncryptionKey[];
  /** Keys that are gone for good, by their ids: what they had sealed stays shut. */
  lostKeyIds: string[];
  /** Without a slash at the end. */
  publicUrl: string | undefined;
  metricsToken: string | undefined;
  server: { host: string; port: number };
  logLevel: LogLevel;
};

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export type SettingProblem = { setting: SettingName; problem: string };

/** The environment does not make a configuration; the message names every problem and its remedy. */
export class ConfigError extends OperatorError {
  readonly problems: SettingProblem[];
  /** @param cannot what does not happen because of them */
  constructor(problems: SettingProblem[], cannot = "Design Request can't start") {
    const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
    const lines = problems.map(
      ({ setting, problem }) => `  ${setting} ${problem}\n    ${HOW_TO_GET[setting]}`,
    );
    super(`${cannot}: ${count} attention.\n\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);

const httpsUrl = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return false;
  return (
    url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname))
  );
}, 'must be an https:// address (http:// only on this machine).');

/** Host and path, without a slash at the end: the app may live below a path of a shared host. */
const ownAddress = httpsUrl.transform((text) => {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/(?<!\/)\/+$/, '');
});

/** What an HTTP header can carry: such a value ends up in one. */
const headerValue = z.string().regex(/^[\x21-\x7e]+$/, 'must be plain characters without spaces.');

const prefixed = (prefix: string) => headerValue.startsWith(prefix, `must start with ${prefix}`);

/** The hosts that a link can have: names, perhaps with underscores, or IP addresses. */
const LINK_HOST = /^(?:[-_a-z0-9.]+|\[[0-9a-f:.]+\])$/;

const cardTemplate = z
  .string()
  .refine((text) => {
    try {
      return Boolean(createCardLinks([text]));
    } catch {
      return false;
    }
  }, 'must be web addresses, each with one {id} in its path or query.')
  .refine(
    (text) => LINK_HOST.test(URL.parse(text)?.hostname ?? ''),
    'must name each host in full: no link matches a wildcard.',
  );

const timezone = z.string().refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}, 'is not a time zone that this system knows.');

const notBlank = z.string().min(1);

const environment = z.object({
  SLACK_SIGNING_SECRET: notBlank.optional(),
  SLACK_BOT_TOKEN: prefixed('xoxb-').optional(),
  SLACK_APP_TOKEN: prefixed('xapp-').optional(),
  SLACK_CLIENT_ID: notBlank.optional(),
  SLACK_CLIENT_SECRET: notBlank.optional(),
  SLACK_STATE_SECRET: notBlank.optional(),
  SLACK_API_URL: httpsUrl.default('https://slack.com/api/'),
  SLACK_AUTHORIZE_URL: httpsUrl.default('https://slack.com/oauth/v2/authorize'),
  DESIGN_API_BASE_URL: httpsUrl,
  DESIGN_API_KEY: headerValue.optional(),
  DESIGN_API_TIMEZONE: timezone.default('UTC'),
  DESIGN_PARTNER_NAME: notBlank.default('Partner'),
  CARD_URL_TEMPLATE: list(cardTemplate),
  DATABASE_URL: databaseSetting.default({ path: './data/design-request.db' }),
  ENCRYPTION_KEYS: keyringSetting,
  PUBLIC_URL: ownAddress.optional(),
  METRICS_TOKEN: notBlank.optional(),
  PORT: z.coerce.number('must be a port number.').int().min(0).max(65535).default(3000),
  HOST: notBlank.default('0.0.0.0'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}.`).default('info'),
} satisfies Record<SettingName, z.ZodType>);

type Environment = z.infer<typeof environment>;

const OAUTH_SETTINGS = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const;

/** What installing into many workspaces needs, and what it excludes. */
function oauthProblems(env: Partial<Environment>): SettingProblem[] {
  const problems: SettingProblem[] = [...OAUTH_SETTINGS, 'PUBLIC_URL' as const]
    .filter((name) => env[name] === undefined)
    .map((setting) => ({ setting, problem: 'is missing; many workspaces need it.' }));
  if (env.SLACK_BOT_TOKEN !== undefined) {
    problems.push({
      setting: 'SLACK_BOT_TOKEN',
      problem:
        'is for one workspace, and SLACK_CLIENT_ID and its kin are for many; keep one of both.',
    });
  }
  if (env.DESIGN_API_KEY !== undefined) {
    problems.push({
      setting: 'DESIGN_API_KEY',
      problem:
        'is for one workspace; of many, each connects its own key with /design-request connect.',
    });
  }
  return problems;
}

/** Rules between settings, which hold only once each by itself is known. */
function combinationProblems(env: Partial<Environment>): SettingProblem[] {
  const isOAuth = OAUTH_SETTINGS.some((name) => env[name] !== undefined);
  const problems = isOAuth ? oauthProblems(env) : [];
  if (env.SLACK_BOT_TOKEN === undefined && !isOAuth) {
    problems.push({
      setting: 'SLACK_BOT_TOKEN',
      problem: 'is missing (or set SLACK_CLIENT_ID and its kin for many workspaces).',
    });
  }
  if (env.SLACK_APP_TOKEN === undefined && env.SLACK_SIGNING_SECRET === undefined) {
    problems.push({
      setting: 'SLACK_SIGNING_SECRET',
      problem: 'is missing (or set SLACK_APP_TOKEN for Socket Mode).',
    });
  }
  return problems;
}

/** An unset variable and an empty one mean the same: many platforms can only set empty ones. */
function withoutBlanks(env: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.keys(environment.shape).map((name) => [name, env[name]?.trim()] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

function problemsOf(error: z.ZodError, given: Record<string, string>): SettingProblem[] {
  const first = new Map<SettingName, string>();
  for (const issue of error.issues) {
    const setting = issue.path[0] as SettingName;
    const problem = given[setting] === undefined ? 'is missing.' : issue.message;
    if (!first.has(setting)) first.set(setting, problem);
  }
  return [...first].map(([setting, problem]) => ({ setting, problem }));
}

/**
 * Reads the configuration out of environment variables.
 *
 * @param env names and values, as in `process.env`
 * @throws ConfigError naming every missing or malformed setting at once; values never appear in it
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = withoutBlanks(env);
  const parsed = environment.safeParse(given);
  const single = parsed.success ? [] : problemsOf(parsed.error, given);
  const named = new Set(single.map(({ setting }) => setting));
  const combined = combinationProblems(given as Partial<Environment>).filter(
    ({ setting }) => !named.has(setting),
  );
  if (!parsed.success || combined.length > 0) throw new ConfigError([...single, ...combined]);

  const settings = parsed.data;
  return {
    slack: {
      apiUrl: settings.SLACK_API_URL.replace(/(?<!\/)\/*$/, '/'),
      access: accessOf(settings),
      transport: settings.SLACK_APP_TOKEN
        ? { mode: 'socket', appToken: settings.SLACK_APP_TOKEN }
        : { mode: 'http', signingSecret: settings.SLACK_SIGNING_SECRET ?? '' },
    },
    designApi: {
      baseUrl: settings.DESIGN_API_BASE_URL,
      apiKey: settings.DESIGN_API_KEY,
      timezone: settings.DESIGN_API_TIMEZONE,
      partnerName: settings.DESIGN_PARTNER_NAME,
    },
    cardUrlTemplates: settings.CARD_URL_TEMPLATE,
    database: settings.DATABASE_URL,
    ...settings.ENCRYPTION_KEYS,
    publicUrl: settings.PUBLIC_URL,
    metricsToken: settings.METRICS_TOKEN,
    server: { host: settings.HOST, port: settings.PORT },
    logLevel: settings.LOG_LEVEL,
  };
}

function accessOf(settings: Environment): Config['slack']['access'] {
  const { SLACK_CLIENT_ID: clientId = '', SLACK_CLIENT_SECRET: clientSecret = '' } = settings;
  if (clientId === '') return { kind: 'token', botToken: settings.SLACK_BOT_TOKEN ?? '' };
  return {
    kind: 'oauth',
    clientId,
    clientSecret,
    stateSecret: settings.SLACK_STATE_SECRET ?? '',
    authorizeUrl: settings.SLACK_AUTHORIZE_URL,
    publicUrl: settings.PUBLIC_URL ?? '',
  };
}

/** The one place that reads the process's environment. */
export function configFromEnvironment(): Config {
  return parseConfig(process.env);
}

/** Whether `npm start` runs this process, rather than a platform or a shell that may end before it. */
export const isNpmStart = (): boolean => process.env.npm_lifecycle_event === 'start';

/** What the Slack app's manifest is filled in with. */
export type ManifestSettings = {
  /** Where Slack reaches the app; undefined only in Socket Mode, which needs no address. */
  publicUrl: string | undefined;
  socketMode: boolean;
  /** Whether many workspaces install the app, by OAuth. */
  manyWorkspaces: boolean;
  /** At least one. */
  cardUrlTemplates: string[];
};

const manifestEnvironment = environment.pick({
  SLACK_APP_TOKEN: true,
  SLACK_CLIENT_ID: true,
  SLACK_CLIENT_SECRET: true,
  SLACK_STATE_SECRET: true,
  CARD_URL_TEMPLATE: true,
  PUBLIC_URL: true,
});

/**
 * Reads what the manifest needs, before the other settings exist: most come from the Slack app that is
 * created from it.
 *
 * @param env names and values, as in `process.env`
 * @param options.socket for Socket Mode also without SLACK_APP_TOKEN
 * @param options.many for many workspaces also before SLACK_CLIENT_ID and its kin are known
 * @throws ConfigError naming every missing or malformed setting at once; values never appear in it
 */
export function parseManifestSettings(
  env: Record<string, string | undefined>,
  options: { socket: boolean; many: boolean },
): ManifestSettings {
  const given = withoutBlanks(env);
  const parsed = manifestEnvironment.safeParse(given);
  const problems = parsed.success ? [] : problemsOf(parsed.error, given);
  const socketMode = options.socket || given.SLACK_APP_TOKEN !== undefined;
  const manyWorkspaces = options.many || OAUTH_SETTINGS.some((name) => given[name] !== undefined);
  const { PUBLIC_URL: publicUrl } = parsed.data ?? {};
  const reached = publicUrl !== undefined && !LOOPBACK_HOSTS.has(new URL(publicUrl).hostname);
  const needsAddress = !socketMode || manyWorkspaces;
  if (!reached && needsAddress && !problems.some(({ setting }) => setting === 'PUBLIC_URL')) {
    const what = given.PUBLIC_URL ? "is on this machine, where Slack can't reach it" : 'is missing';
    const way = manyWorkspaces
      ? '; many workspaces need it.'
      : ' (or add --socket for Socket Mode).';
    problems.push({ setting: 'PUBLIC_URL', problem: what + way });
  }
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(problems, "The manifest can't be printed");
  }
  const cardUrlTemplates = parsed.data.CARD_URL_TEMPLATE;
  return {
    publicUrl: reached ? publicUrl : undefined,
    ...{ socketMode, manyWorkspaces, cardUrlTemplates },
  };
}

/** The same, of the process's environment. */
export function manifestSettingsFromEnvironment(options: {
  socket: boolean;
  many: boolean;
}): ManifestSettings {
  return parseManifestSettings(process.env, options);
}
