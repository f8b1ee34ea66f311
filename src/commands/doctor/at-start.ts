import { environmentVariables } from '../../config/config.ts';
import type { Log } from '../../ops/logging.ts';
import { CHECKS } from './checks.ts';
import { examine, isTrouble } from './examine.ts';

/** Runs the cheap checks once the app is ready, and logs what they find. Never fails. */
export async function warnAtStart(log: Log): Promise<void> {
  try {
    const examined = await examine(
      CHECKS.filter(({ atStart }) => atStart),
      {
        env: environmentVariables(),
        envFile: '.env',
        now: () => new Date(),
        configToken: undefined,
      },
    );
    for (const { check, finding } of examined) {
      if (isTrouble(finding)) log.warn({ check: check.name, fix: finding.fix }, finding.problem);
    }
  } catch (error) {
    log.warn({ err: error }, 'could not run the checks of the start');
  }
}
