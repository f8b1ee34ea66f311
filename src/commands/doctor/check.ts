import type { Config } from '../../config/config.ts';
import type { SettingProblem } from '../../config/config-error.ts';
import type { Database } from '../../store/database.ts';
import type { SlackAnswer } from '../ask-slack.ts';
import type { ServiceProbe } from '../probe-service.ts';

/** What a check found. `failed` means that something doesn't work; `warning` that something may be lost or surprise. */
export type Finding =
  | { result: 'passed'; detail: string }
  | { result: 'warning' | 'failed'; problem: string; fix: string }
  | { result: 'skipped'; why: string };

export const passed = (detail: string): Finding => ({ result: 'passed', detail });
export const warning = (problem: string, fix: string): Finding => ({
  result: 'warning',
  problem,
  fix,
});
export const failed = (problem: string, fix: string): Finding => ({
  result: 'failed',
  problem,
  fix,
});
export const skipped = (why: string): Finding => ({ result: 'skipped', why });

/** What every check may use. */
export type Basics = {
  env: Record<string, string | undefined>;
  /** The settings file, which need not exist. */
  envFile: string;
  settingProblems: readonly SettingProblem[];
  now: () => Date;
};

/** What checks may use once the settings are complete. Answers are kept, so that no question is asked twice. */
export type CheckContext = Basics & {
  config: Config;
  /** An app configuration token, if the operator gave one: only with it does Slack show the app's manifest. */
  configToken: string | undefined;
  /** `auth.test` with the bot token; undefined with many workspaces, each of which has its own. */
  authTest(): Promise<SlackAnswer | undefined>;
  /** The app's manifest as Slack has it; undefined without a configuration token. */
  manifest(): Promise<SlackAnswer | undefined>;
  /** The database, open; undefined for an SQLite file that doesn't exist yet. Never creates or changes it. */
  database(): Promise<Database | undefined>;
  /** Tests the key that the single workspace uses, or says why it uses none. */
  service(): Promise<ServiceProbe | KeyProblem>;
  /** Whether another key than that of the settings is connected. */
  isKeyIgnored(): Promise<boolean>;
};

export type KeyProblem = 'none' | 'rejected' | 'disconnected' | 'unreadable';

type Described = {
  /** As in the output. */
  name: string;
  /** What holds if the check passes. */
  about: string;
  /** Whether it is cheap enough to run at each start, too. */
  atStart?: true;
};

/** Reads only; what changes something is in `repair`, which runs only with `--fix`. */
export type Check =
  | (Described & { needsNothing: true; run(basics: Basics): Finding | Promise<Finding> })
  | (Described & {
      /** Without it, the check needs the settings. */
      needsNothing?: undefined;
      run(context: CheckContext): Finding | Promise<Finding>;
      /** @returns what it did */
      repair?(context: CheckContext): Promise<string>;
    });

export const SAME_MACHINE_TIMEOUT_MS = 3_000;

/** Where the app answers on this machine. */
export function urlOf({ host, port }: Config['server'], path: string): URL {
  const isAny = host === '0.0.0.0' || host === '::';
  return new URL(path, `http://${isAny ? '127.0.0.1' : host}:${port}`);
}
