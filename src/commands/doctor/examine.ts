import { type Config, environmentVariables, parseConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { Log } from '../../ops/logging.ts';
import { addressChecks } from './address.ts';
import { type Basics, type Check, type Finding, skipped } from './check.ts';
import { type CheckContext, createContext } from './context.ts';
import { databaseChecks } from './database.ts';
import { runtimeChecks } from './runtime.ts';
import { serviceChecks } from './service.ts';
import { settingsChecks } from './settings.ts';
import { slackChecks } from './slack.ts';

type KnownCheck = Check & { category: string };

/** Every check, in the order in which they run. */
export const CHECKS: readonly KnownCheck[] = Object.entries({
  settings: settingsChecks,
  database: databaseChecks,
  slack: slackChecks,
  runtime: runtimeChecks,
  address: addressChecks,
  service: serviceChecks,
}).flatMap(([category, checks]) => checks.map((check) => ({ ...check, category })));

/** What a check found, and what its repair did if there was one. */
export type Examined = { check: KnownCheck; finding: Finding; repaired?: string };

/**
 * Runs checks one after the other, and with `repairs` afterwards those repairs that apply; a repaired check runs again.
 *
 * @param options.env the variables of the process, with those of the settings file
 */
export async function examine(
  checks: readonly KnownCheck[],
  options: Omit<Basics, 'settingProblems'> & { configToken: string | undefined; repairs?: boolean },
): Promise<Examined[]> {
  const { config, problems } = settingsIn(options.env);
  const basics = { ...options, settingProblems: problems };
  const context = config && createContext(config, basics);
  try {
    const examined: Examined[] = [];
    for (const check of checks)
      examined.push({ check, finding: await run(check, basics, context) });
    if (!options.repairs || !context) return examined;
    for (const one of examined) await repair(one, context);
    return examined;
  } finally {
    await context?.close();
  }
}

function settingsIn(env: Basics['env']): { config?: Config; problems: ConfigError['problems'] } {
  try {
    return { config: parseConfig(env), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problems: error.problems };
  }
}

async function run(check: Check, basics: Basics, context?: CheckContext): Promise<Finding> {
  if (check.needsNothing) return check.run(basics);
  return context ? check.run(context) : skipped('correct the settings first');
}

async function repair(one: Examined, context: CheckContext): Promise<void> {
  const { check, finding } = one;
  if (check.needsNothing || !check.repair || !isTrouble(finding)) return;
  one.repaired = await check.repair(context);
  one.finding = await check.run(context);
}

export const isTrouble = (finding: Finding): finding is Extract<Finding, { problem: string }> =>
  'problem' in finding;

/** Runs the cheap checks once the app is ready, and logs what they find. Never fails. */
export async function warnAtStart(log: Log): Promise<void> {
  const options = {
    env: environmentVariables(),
    envFile: '.env',
    now: () => new Date(),
    configToken: undefined,
  };
  try {
    const cheap = CHECKS.filter(({ atStart }) => atStart);
    for (const { check, finding } of await examine(cheap, options)) {
      if (isTrouble(finding)) log.warn({ check: check.name, fix: finding.fix }, finding.problem);
    }
  } catch (error) {
    log.warn({ err: error }, 'could not run the checks of the start');
  }
}
