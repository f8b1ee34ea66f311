import { z } from 'zod';
import { OperatorError } from '../ops/operator-error.ts';
import { createCardLinks } from '../service/card-links.ts';
import { FILE_FORMATS, type FileFormat } from '../service/operations/file-element.ts';
import type { DatabaseLocation } from '../store/database-location.ts';
import { databaseSetting } from './database.ts';
import { HOW_TO_GET, type SettingName } from './help.ts';
import { type EncryptionKey, keyringSetting } from './keyring.ts';
import { list } from './list.ts';
import { publicUrlOfPlatform } from './platform.ts';

/** The Slack app's credentials for OAuth, which many workspaces need to install it. */
export type OAuthSettings = {
  clientId: string;
  clientSecret: string;
  /** Signs the `state` parameter of the OAuth flow. */
  stateSecret: string;
  authorizeUrl: string;
  /** The app's own address, without a trailing slash. Slack redirects people back to it. */
  publicUrl: string;
};

export type Config = {
  slack: {
    apiUrl: string;
    /** One workspace, through its bot token, or every workspace that installs the app through OAuth. */
    access: { kind: 'token'; botToken: string } | ({ kind: 'oauth' } & OAuthSettings);
    transport: { mode: 'http'; signingSecret: string } | { mode: 'socket'; appToken: string };
  };
  designApi: {
    baseUrl: string;
    /** Connects the bot token's workspace at the first start. */
    apiKey: string | undefined;
    timezone: string;
    partnerName: string;
    /** What the elements of a new card's file arrays are: URLs, or objects with a name and a URL. */
    fileFormat: FileFormat;
  };
  /** The largest file that can be attached to a request, in bytes. */
  fileMaxBytes: number;
  /** At least one; new links use the first. */
  cardUrlTemplates: string[];
  database: DatabaseLocation;
  /** At least one. The first encrypts, all decrypt. */
  encryptionKeys: EncryptionKey[];
  /** IDs of keys that are gone for good: what they encrypted can't be read any more. */
  lostKeyIds: string[];
  /** Without a trailing slash. */
  publicUrl: string | undefined;
  /** Where people get help: an https or mailto URL. */
  supportUrl: string | undefined;
  metricsToken: string | undefined;
  server: { host: string; port: number };
  logLevel: LogLevel;
};

/** Slack's own limit per file (slack.com/help, "Add files to Slack"). */
const FILE_MAX_MB = 1_000;
const BYTES_PER_MB = 1_000_000;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export type SettingProblem = { setting: SettingName; problem: string };

/** Settings are missing or wrong. The message names every problem and how to fix it. */
export class ConfigError extends OperatorError {
  readonly problems: SettingProblem[];
  /** @param consequence how the message begins */
  constructor(problems: SettingProblem[], consequence = "Design Request can't start") {
    const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
    const lines = problems.map(
      ({ setting, problem }) => `  ${setting} ${problem}\n    ${HOW_TO_GET[setting]}`,
    );
    super(
      `${consequence}: ${count} attention.\n\n${lines.join('\n')}\n\n\`npm run setup\` asks for each setting and tests it.`,
    );
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
}, 'must be an https:// URL (http:// only for this machine).');

/** Origin and path, without a trailing slash: the app may share its host with others. */
const ownAddress = httpsUrl.transform((text) => {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/(?<!\/)\/+$/, '');
});

/** A value that is sent in an HTTP header. */
const headerValue = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must consist of ASCII characters without spaces.');

const prefixed = (prefix: string) => headerValue.startsWith(prefix, `must start with ${prefix}`);

/** Host names, perhaps with underscores, and IP addresses. Not wildcards, which no link would match. */
const LINK_HOST = /^(?:[-_a-z0-9.]+|\[[0-9a-f:.]+\])$/;

const cardTemplate = z
  .string()
  .refine((text) => {
    try {
      return Boolean(createCardLinks([text]));
    } catch {
      return false;
    }
  }, 'must be one or more URLs, each with one {id} in its path or query.')
  .refine(
    (text) => LINK_HOST.test(URL.parse(text)?.hostname ?? ''),
    "must name each host in full; wildcards don't work.",
  );

/** An email address, as far as a link needs it, or a web address. */
const supportContact = z
  .string()
  .refine(
    (text) => z.email().safeParse(text).success || httpsUrl.safeParse(text).success,
    'must be an email address or an https:// URL.',
  )
  .transform((text) => (URL.canParse(text) ? text : `mailto:${text}`));

const timezone = z.string().refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}, 'is not a known time zone.');

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
  DESIGN_FILE_FORMAT: z
    .enum(FILE_FORMATS, `must be one of ${FILE_FORMATS.join(', ')}.`)
    .default('url'),
  FILE_MAX_MB: z.coerce
    .number(`must be a number of MB from 1 to ${FILE_MAX_MB}.`)
    .int()
    .min(1)
    .max(FILE_MAX_MB)
    .default(500),
  SUPPORT_CONTACT: supportContact.optional(),
  METRICS_TOKEN: notBlank.optional(),
  PORT: z.coerce.number('must be a port number.').int().min(0).max(65535).default(3000),
  HOST: notBlank.default('0.0.0.0'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}.`).default('info'),
} satisfies Record<SettingName, z.ZodType>);

type Environment = z.infer<typeof environment>;

const OAUTH_SETTINGS = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const;

/** Serving many workspaces requires some settings and excludes others. */
function oauthProblems(env: Partial<Environment>): SettingProblem[] {
  const problems: SettingProblem[] = [...OAUTH_SETTINGS, 'PUBLIC_URL' as const]
    .filter((name) => env[name] === undefined)
    .map((setting) => ({ setting, problem: 'is missing. Serving many workspaces needs it.' }));
  if (env.SLACK_BOT_TOKEN !== undefined) {
    problems.push({
      setting: 'SLACK_BOT_TOKEN',
      problem:
        'is for one workspace, and the settings for OAuth (SLACK_CLIENT_ID, …) are for many. Remove one or the other.',
    });
  }
  if (env.DESIGN_API_KEY !== undefined) {
    problems.push({
      setting: 'DESIGN_API_KEY',
      problem:
        'is for one workspace. With many, each connects its own key with /design-request connect.',
    });
  }
  return problems;
}

/** Settings that need or exclude each other. */
function combinationProblems(env: Partial<Environment>): SettingProblem[] {
  const isOAuth = OAUTH_SETTINGS.some((name) => env[name] !== undefined);
  const problems = isOAuth ? oauthProblems(env) : [];
  if (env.SLACK_BOT_TOKEN === undefined && !isOAuth) {
    problems.push({
      setting: 'SLACK_BOT_TOKEN',
      problem:
        'is missing (or set SLACK_CLIENT_ID and the other OAuth settings for many workspaces).',
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

/** Treats an empty variable as unset: many platforms can't unset one. Some name the app's address themselves. */
function withoutBlanks(env: Record<string, string | undefined>): Record<string, string> {
  const all: typeof env = {
    ...env,
    PUBLIC_URL: env.PUBLIC_URL?.trim() || publicUrlOfPlatform(env),
  };
  const entries = Object.keys(environment.shape).map((name) => [name, all[name]?.trim()] as const);
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
 * @param env names and values, as in `process.env`
 * @throws ConfigError that names every missing or malformed setting, but never a value
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
      fileFormat: settings.DESIGN_FILE_FORMAT,
    },
    fileMaxBytes: settings.FILE_MAX_MB * BYTES_PER_MB,
    cardUrlTemplates: settings.CARD_URL_TEMPLATE,
    database: settings.DATABASE_URL,
    ...settings.ENCRYPTION_KEYS,
    publicUrl: settings.PUBLIC_URL,
    supportUrl: settings.SUPPORT_CONTACT,
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

/** The variables of this process, for the commands that set the app up and examine it. */
export const environmentVariables = (): Record<string, string | undefined> => process.env;

/** Why a setting can't have this value, without the value; undefined if it can. */
export const problemWith = (setting: SettingName, value: string): string | undefined =>
  environment.shape[setting].safeParse(value).error?.issues[0]?.message;

/** @throws ConfigError */
export function configFromEnvironment(): Config {
  return parseConfig(process.env);
}

/** Whether `npm start` runs this process, rather than a platform, or a shell that may end before it. */
export const isNpmStart = (): boolean => process.env.npm_lifecycle_event === 'start';

/** What goes into the Slack app's manifest. */
export type ManifestSettings = {
  /** Where Slack reaches the app; undefined only in Socket Mode, which needs no address. */
  publicUrl: string | undefined;
  socketMode: boolean;
  /** Whether many workspaces install the app through OAuth. */
  manyWorkspaces: boolean;
  /** Whether the app offers its step in Workflow Builder. */
  workflowStep: boolean;
  /** At least one. */
  cardUrlTemplates: string[];
};

export type ManifestOptions = { socket: boolean; many: boolean; workflowStep: boolean };

const manifestEnvironment = environment.pick({
  SLACK_APP_TOKEN: true,
  SLACK_CLIENT_ID: true,
  SLACK_CLIENT_SECRET: true,
  SLACK_STATE_SECRET: true,
  CARD_URL_TEMPLATE: true,
  PUBLIC_URL: true,
});

/**
 * Reads only what the manifest needs: most other settings come from the Slack app that is created from it.
 *
 * @param env names and values, as in `process.env`
 * @param options.socket Socket Mode, even without SLACK_APP_TOKEN
 * @param options.many many workspaces, even without the OAuth settings
 * @param options.workflowStep with the step in Workflow Builder
 * @throws ConfigError that names every missing or malformed setting, but never a value
 */
export function parseManifestSettings(
  env: Record<string, string | undefined>,
  options: ManifestOptions,
): ManifestSettings {
  const given = withoutBlanks(env);
  const parsed = manifestEnvironment.safeParse(given);
  const problems = parsed.success ? [] : problemsOf(parsed.error, given);
  const socketMode = options.socket || given.SLACK_APP_TOKEN !== undefined;
  const manyWorkspaces = options.many || OAUTH_SETTINGS.some((name) => given[name] !== undefined);
  const { PUBLIC_URL: publicUrl } = parsed.data ?? {};
  const isReachable = publicUrl !== undefined && !LOOPBACK_HOSTS.has(new URL(publicUrl).hostname);
  const needsAddress = !socketMode || manyWorkspaces;
  if (!isReachable && needsAddress && !problems.some(({ setting }) => setting === 'PUBLIC_URL')) {
    const problem = given.PUBLIC_URL
      ? "points to this machine, where Slack can't reach it"
      : 'is missing';
    const hint = manyWorkspaces
      ? '. Serving many workspaces needs it.'
      : ' (or add --socket for Socket Mode).';
    problems.push({ setting: 'PUBLIC_URL', problem: problem + hint });
  }
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(problems, "The manifest can't be printed");
  }
  return {
    publicUrl: isReachable ? publicUrl : undefined,
    socketMode,
    manyWorkspaces,
    workflowStep: options.workflowStep,
    cardUrlTemplates: parsed.data.CARD_URL_TEMPLATE,
  };
}

/** @throws ConfigError */
export function manifestSettingsFromEnvironment(options: ManifestOptions): ManifestSettings {
  return parseManifestSettings(process.env, options);
}
