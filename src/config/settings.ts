import { z } from 'zod';
import { createCardLinks } from '../references.ts';
import { ConfigError, type SettingProblem } from './config-error.ts';
import { DEFAULT_DATABASE, databaseSetting } from './database.ts';
import type { SettingName } from './help.ts';
import { keyringSetting, list } from './keyring.ts';
import { publicUrlOfPlatform, type Variables } from './platform.ts';

/** Slack's own limit per file (slack.com/help, "Add files to Slack"). */
const FILE_MAX_MB = 1_000;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);

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

const headerValue = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must consist of ASCII characters without spaces.');

/** As Slack makes them. */
const signingSecret = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 characters, each 0–9 or a–f.');

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

export const environment = z.object({
  SLACK_SIGNING_SECRET: signingSecret.optional(),
  SLACK_BOT_TOKEN: prefixed('xoxb-').optional(),
  SLACK_APP_TOKEN: prefixed('xapp-').optional(),
  SLACK_CLIENT_ID: notBlank.optional(),
  SLACK_CLIENT_SECRET: notBlank.optional(),
  SLACK_API_URL: httpsUrl.default('https://slack.com/api/'),
  SLACK_AUTHORIZE_URL: httpsUrl.default('https://slack.com/oauth/v2/authorize'),
  DESIGN_API_BASE_URL: httpsUrl,
  DESIGN_API_KEY: headerValue.optional(),
  DESIGN_API_TIMEZONE: timezone.default('UTC'),
  DESIGN_PARTNER_NAME: notBlank.optional(),
  CARD_URL_TEMPLATE: list(cardTemplate),
  DATABASE_URL: databaseSetting.default(DEFAULT_DATABASE),
  ENCRYPTION_KEYS: keyringSetting,
  PUBLIC_URL: ownAddress.optional(),
  DESIGN_FILE_FORMAT: z.enum(['url', 'object'], 'must be one of url, object.').default('url'),
  FILE_MAX_MB: z.coerce
    .number(`must be a number of MB from 1 to ${FILE_MAX_MB}.`)
    .int()
    .min(1)
    .max(FILE_MAX_MB)
    .default(500),
  SUPPORT_CONTACT: supportContact.optional(),
  METRICS_TOKEN: notBlank.optional(),
  PORT: z.coerce.number('must be a port number.').int().min(0).max(65535).default(3000),
  HOST: notBlank.optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}.`).default('info'),
} satisfies Record<SettingName, z.ZodType>);

export const OAUTH_SETTINGS = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'] as const;

/** Treats an empty variable as unset: many platforms can't unset one. Some platforms set the app's own address. */
function givenIn(env: Variables, needed: z.ZodObject): Record<string, string> {
  const all: Variables = {
    ...env,
    PUBLIC_URL: env.PUBLIC_URL?.trim() || publicUrlOfPlatform(env),
  };
  return Object.fromEntries(
    Object.keys(needed.shape).flatMap((name) => {
      const value = all[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** Shells and .env files remove quotes; `docker run --env-file` and some platforms don't. Nothing removes “these”. */
const isQuoted = (value: string) => /^(?:\\?(["'`]).*\1|[“”„‘’«].*[“”‘’»])$/s.test(value);
const QUOTED = 'is wrapped in quotes. Remove them: here they are a part of the value.';

/**
 * @param needed `environment`, or a part of it
 * @param how.consequence how the message of the error begins
 * @param how.combined what is wrong with settings that need or exclude each other
 * @throws ConfigError that names every missing or malformed setting, but never a value
 */
export function parseSettings<Needed extends z.ZodObject>(
  needed: Needed,
  env: Variables,
  how: {
    consequence?: string | undefined;
    combined?: (given: Record<string, string>) => SettingProblem[];
  } = {},
): z.output<Needed> {
  const given = givenIn(env, needed);
  const parsed = needed.safeParse(given);
  const problems = new Map<string, string>();
  /** The first problem of a setting says enough. */
  const add = (setting: string, problem: string) =>
    problems.set(setting, problems.get(setting) ?? problem);
  for (const [name, value] of Object.entries(given)) if (isQuoted(value)) add(name, QUOTED);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    add(name, given[name] === undefined ? 'is missing.' : message);
  }
  for (const { setting, problem } of how.combined?.(given) ?? []) add(setting, problem);
  if (!parsed.success || problems.size > 0) {
    const listed = [...problems].map(([setting, problem]) => ({
      setting: setting as SettingName,
      problem,
    }));
    throw new ConfigError(listed, how.consequence);
  }
  return parsed.data;
}

/** The database in these variables; undefined if DATABASE_URL is malformed. */
export const databaseIn = (env: Variables) =>
  environment.shape.DATABASE_URL.safeParse(env.DATABASE_URL?.trim() || undefined).data;

/** Why a setting can't have this value, without the value; undefined if it can. */
export const problemWith = (setting: SettingName, value: string): string | undefined =>
  isQuoted(value) ? QUOTED : environment.shape[setting].safeParse(value).error?.issues[0]?.message;
