import { environmentVariables } from '../../config/config.ts';
import type { Log } from '../../ops/logging.ts';
import { addressChecks } from './address.ts';
import { type Check, createContext, type Finding, SkippedError, skipped } from './check.ts';
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

export type Examined = { check: KnownCheck; finding: Finding; repaired?: string };

/** Runs checks one after the other, and with `repairs` those repairs that apply; a repaired check runs again. */
export async function examine(
  checks: readonly KnownCheck[],
  options: {
    env: Record<string, string | undefined>;
    envFile?: string;
    now?: () => Date;
    repairs?: boolean;
  },
): Promise<Examined[]> {
  const { env, envFile = '.env', now = () => new Date(), repairs = false } = options;
  const context = createContext({ env, envFile, now });
  const run = async (check: Check): Promise<Finding> => {
    try {
      return await check.run(context);
    } catch (error) {
      if (error instanceof SkippedError) return skipped(error.message);
      throw error;
    }
  };
  const examined: Examined[] = [];
  try {
    for (const check of checks) examined.push({ check, finding: await run(check) });
    for (const one of examined) {
      if (!repairs || !one.check.repair || !isTrouble(one.finding)) continue;
      one.repaired = await one.check.repair(context);
      one.finding = await run(one.check);
    }
    return examined;
  } finally {
    await context.close();
  }
}

export const isTrouble = (finding: Finding): finding is Extract<Finding, { problem: string }> =>
  'problem' in finding;

/** Runs the cheap checks once the app is ready, and logs what they find. Never fails. */
export async function warnAtStart(log: Log): Promise<void> {
  try {
    const cheap = CHECKS.filter(({ atStart }) => atStart);
    for (const { check, finding } of await examine(cheap, { env: environmentVariables() })) {
      if (isTrouble(finding)) log.warn({ check: check.name, fix: finding.fix }, finding.problem);
    }
  } catch (error) {
    log.warn({ err: error }, 'could not run the checks at start');
  }
}
