import type { z } from 'zod';
import { ConfigError, type SettingProblem } from './config-error.ts';
import type { SettingName } from './help.ts';
import {
  type Environment,
  environment,
  OAUTH_SETTINGS,
  problemsOf,
  withoutBlanks,
} from './settings.ts';

export type Config = ReturnType<typeof parseConfig>;

/** The Slack app's credentials for OAuth, which many workspaces need to install it. */
export type OAuthSettings = Extract<Config['slack']['access'], { kind: 'oauth' }>;

const BYTES_PER_MB = 1_000_000;

/** Settings that need or exclude each other. */
function combinationProblems(env: Record<string, string>): SettingProblem[] {
  const lacks = (name: SettingName) => env[name] === undefined;
  const isOAuth = !OAUTH_SETTINGS.every(lacks);
  const needed = [...OAUTH_SETTINGS, 'PUBLIC_URL' as const].map(
    (name) =>
      [isOAuth && lacks(name), name, 'is missing. Serving many workspaces needs it.'] as const,
  );
  const rules: (readonly [applies: boolean, setting: SettingName, problem: string])[] = [
    ...needed,
    [
      isOAuth && !lacks('SLACK_BOT_TOKEN'),
      'SLACK_BOT_TOKEN',
      'is for one workspace, and the settings for OAuth (SLACK_CLIENT_ID, …) are for many. Remove one or the other.',
    ],
    [
      isOAuth && !lacks('DESIGN_API_KEY'),
      'DESIGN_API_KEY',
      'is for one workspace. With many, each connects its own key with /design-request connect.',
    ],
    [
      !isOAuth && lacks('SLACK_BOT_TOKEN'),
      'SLACK_BOT_TOKEN',
      'is missing (or set SLACK_CLIENT_ID and the other OAuth settings for many workspaces).',
    ],
    [
      lacks('SLACK_APP_TOKEN') && lacks('SLACK_SIGNING_SECRET'),
      'SLACK_SIGNING_SECRET',
      'is missing (or set SLACK_APP_TOKEN for Socket Mode).',
    ],
  ];
  return rules.flatMap(([applies, setting, problem]) => (applies ? [{ setting, problem }] : []));
}

/**
 * @param env names and values, as in `process.env`
 * @param consequence how the message of the error begins
 * @throws ConfigError that names every missing or malformed setting, but never a value
 */
export function parseConfig(env: Record<string, string | undefined>, consequence?: string) {
  const given = withoutBlanks(env);
  const parsed = environment.safeParse(given);
  const single = problemsOf(parsed.error, given);
  const named = new Set(single.map(({ setting }) => setting));
  const combined = combinationProblems(given).filter(({ setting }) => !named.has(setting));
  const problems = [...single, ...combined];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems, consequence);

  const settings = parsed.data;
  return {
    slack: {
      apiUrl: settings.SLACK_API_URL.replace(/(?<!\/)\/*$/, '/'),
      access: accessOf(settings),
      transport: settings.SLACK_APP_TOKEN
        ? { mode: 'socket' as const, appToken: settings.SLACK_APP_TOKEN }
        : { mode: 'http' as const, signingSecret: settings.SLACK_SIGNING_SECRET ?? '' },
    },
    designApi: {
      baseUrl: settings.DESIGN_API_BASE_URL,
      /** Connects the bot token's workspace at the first start. */
      apiKey: settings.DESIGN_API_KEY,
      timezone: settings.DESIGN_API_TIMEZONE,
      partnerName: settings.DESIGN_PARTNER_NAME,
      /** What the elements of a new card's file arrays are: URLs, or objects with a name and a URL. */
      fileFormat: settings.DESIGN_FILE_FORMAT,
    },
    /** The largest file that can be attached to a request. */
    fileMaxBytes: settings.FILE_MAX_MB * BYTES_PER_MB,
    /** At least one; new links use the first. */
    cardUrlTemplates: settings.CARD_URL_TEMPLATE,
    database: settings.DATABASE_URL,
    ...settings.ENCRYPTION_KEYS,
    /** Without a trailing slash. */
    publicUrl: settings.PUBLIC_URL,
    /** Where people get help: an https or mailto URL. */
    supportUrl: settings.SUPPORT_CONTACT,
    metricsToken: settings.METRICS_TOKEN,
    server: { host: settings.HOST ?? defaultHost(settings), port: settings.PORT },
    logLevel: settings.LOG_LEVEL,
  };
}

/** In Socket Mode without public pages, nobody but this machine has to reach the app. */
const defaultHost = ({ SLACK_APP_TOKEN, PUBLIC_URL }: Environment) =>
  SLACK_APP_TOKEN !== undefined && PUBLIC_URL === undefined ? '127.0.0.1' : '0.0.0.0';

/** One workspace, through its bot token, or every workspace that installs the app through OAuth. */
function accessOf(settings: Environment) {
  const { SLACK_CLIENT_ID: clientId = '', SLACK_CLIENT_SECRET: clientSecret = '' } = settings;
  if (clientId === '') {
    return { kind: 'token' as const, botToken: settings.SLACK_BOT_TOKEN ?? '' };
  }
  return {
    kind: 'oauth' as const,
    clientId,
    clientSecret,
    authorizeUrl: settings.SLACK_AUTHORIZE_URL,
    /** The app's own address, without a trailing slash. Slack redirects people back to it. */
    publicUrl: settings.PUBLIC_URL ?? '',
  };
}

/** The variables of this process, for the commands that set the app up and examine it. */
export const environmentVariables = (): Record<string, string | undefined> => process.env;

/** @throws ConfigError */
export function configFromEnvironment(consequence?: string): Config {
  return parseConfig(process.env, consequence);
}

/**
 * Only those settings that a command needs.
 *
 * @param needed a part of `environment`
 * @throws ConfigError
 */
export function settingsFromEnvironment<Needed extends z.ZodObject>(
  needed: Needed,
): z.output<Needed> {
  const all = Object.entries(withoutBlanks(process.env));
  const given = Object.fromEntries(all.filter(([name]) => name in needed.shape));
  const parsed = needed.safeParse(given);
  const problems = problemsOf(parsed.error, given);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems, COMMAND_STOPS);
  return parsed.data;
}

/** How the message begins if a command lacks settings. */
export const COMMAND_STOPS = "This command can't run";

/** Whether `npm start` runs this process, rather than a platform, or a shell that may end before it. */
export const isNpmStart = (): boolean => process.env.npm_lifecycle_event === 'start';
