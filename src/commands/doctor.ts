import { environmentVariables } from '../config/config.ts';
import { applyProxySettings } from '../outgoing.ts';
import { CHECKS, examine } from './doctor/examine.ts';
import { asJson, asText, listOfChecks } from './doctor/report.ts';
import { supportBundle } from './doctor/support-bundle.ts';
import { UsageError } from './read-arguments.ts';

type DoctorOptions = { list: boolean; json: boolean; fix: boolean; support?: string | undefined };

export async function doctor(options: DoctorOptions, names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !CHECKS.some((check) => check.name === name));
  if (unknown) throw new UsageError(`There is no check '${unknown}'.`);
  if (options.list) {
    process.stdout.write(listOfChecks());
    return;
  }
  const chosen = CHECKS.filter(({ name }) => names.length === 0 || names.includes(name));
  const env = environmentVariables();
  applyProxySettings(env);
  const examined = await examine(chosen, {
    env,
    envFile: '.env',
    now: () => new Date(),
    repairs: options.fix,
    configToken: env.SLACK_CONFIG_TOKEN,
  });
  if (options.support !== undefined) {
    process.stdout.write(await supportBundle(examined, { logFile: options.support, env }));
    return;
  }
  process.stdout.write(options.json ? asJson(examined) : asText(examined));
  if (examined.some(({ finding }) => finding.result === 'failed')) process.exitCode = 1;
}
