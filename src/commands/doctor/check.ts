import type { Config } from '../../config/config.ts';
import type { SettingProblem } from '../../config/config-error.ts';
import type { CheckContext } from './context.ts';

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
