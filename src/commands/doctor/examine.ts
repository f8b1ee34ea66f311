import { type Config, parseConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { type Basics, type Check, type CheckContext, type Finding, skipped } from './check.ts';
import { createContext } from './context.ts';

/** What a check found, and what its repair did if there was one. */
export type Examined = { check: Check; finding: Finding; repaired?: string };

/**
 * Runs checks one after the other, and with `repairs` afterwards those repairs that apply; a repaired check runs again.
 *
 * @param options.env the variables of the process, with those of the settings file
 */
export async function examine(
  checks: readonly Check[],
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
  if (check.needs === 'nothing') return check.run(basics);
  return context ? check.run(context) : skipped('correct the settings first');
}

async function repair(one: Examined, context: CheckContext): Promise<void> {
  const { check, finding } = one;
  if (check.needs === 'nothing' || !check.repair || !isTrouble(finding)) return;
  one.repaired = await check.repair(context);
  one.finding = await check.run(context);
}

export const isTrouble = (finding: Finding): finding is Extract<Finding, { problem: string }> =>
  'problem' in finding;
