import type { z } from 'zod';
import type { SettingProblem } from './config-error.ts';
import type { SettingName } from './help.ts';
import { environment, OAUTH_SETTINGS, parseSettings } from './settings.ts';

type Environment = z.infer<typeof environment>;
export type Config = ReturnType<typeof parseConfig>;

/** The Slack app's credentials for OAuth, which many workspaces need to install it. */
export type OAuthSettings = Extract<Config['slack']['access'], { kind: 'oauth' }>;

const BYTES_PER_MB = 1_000_000;

/** Settings that need or exclude each other. */
function combinationProblems(given: Record<string, string>): SettingProblem[] {
  const has = (name: SettingName) => given[name] !== undefined;
  const isOAuth = OAUTH_SETTINGS.some(has);
  const problems: SettingProblem[] = [];
  const refuse = (setting: SettingName, problem: string) => problems.push({ setting, problem });
  if (isOAuth) {
    for (const name of [...OAUTH_SETTINGS, 'PUBLIC_URL'] as const)
      if (!has(name)) refuse(name, 'is missing. Serving many workspaces needs it.');
    if (has('SLACK_BOT_TOKEN')) {
      refuse(
        'SLACK_BOT_TOKEN',
        'is for one workspace, and the settings for OAuth (SLACK_CLIENT_ID, …) are for many. Remove one or the other.',
      );
    }
    if (has('DESIGN_API_KEY')) {
      refuse(
        'DESIGN_API_KEY',
        'is for one workspace. With many, each connects its own key with /design-request connect.',
      );
    }
  } else if (!has('SLACK_BOT_TOKEN')) {
    refuse(
      'SLACK_BOT_TOKEN',
      'is missing (or set SLACK_CLIENT_ID and the other OAuth settings for many workspaces).',
    );
  }
  if (!has('SLACK_APP_TOKEN') && !has('SLACK_SIGNING_SECRET')) {
    refuse('SLACK_SIGNING_SECRET', 'is missing (or set SLACK_APP_TOKEN for Socket Mode).');
  }
  return problems;
}

/** @param consequence how the message of the error begins */
export function parseConfig(env: Record<string, string | undefined>, consequence?: string) {
  const settings = parseSettings(environment, env, { consequence, combined: combinationProblems });
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

export const configFromEnvironment = (consequence?: string): Config =>
  parseConfig(process.env, consequence);

export const COMMAND_STOPS = "This command can't run";

/** Only those settings that a command needs: a part of `environment`. */
export const settingsFromEnvironment = <Needed extends z.ZodObject>(needed: Needed) =>
  parseSettings(needed, process.env, { consequence: COMMAND_STOPS });

/** Whether `npm start` runs this process, rather than a platform, or a shell that may end before it. */
export const isNpmStart = (): boolean => process.env.npm_lifecycle_event === 'start';
