import { environmentVariables } from '../config/config.ts';
import { applyProxySettings } from '../outgoing.ts';
import { CHECKS } from './doctor/checks.ts';
import { examine } from './doctor/examine.ts';
import { asJson, asText, listOfChecks } from './doctor/report.ts';
import { supportBundle } from './doctor/support-bundle.ts';
import { exitWithUsage, readArguments, runCommand } from './run-command.ts';

const USAGE = `npm run doctor [-- --json] [--fix] [--list] [--support LOG] [CHECK…]

Examines the settings, this machine, the database, Slack, and the design service, and says what to do about
each problem. Changes nothing without --fix. Exit code: 1 if a check failed, otherwise 0.

  --list   what is checked
  --json   the findings as JSON
  --fix    also repairs what it can (stop the app first): permissions of files, migrations
  --support LOG  prints what to send to whoever helps you, as JSON without secrets: the findings, versions, and the end
           of the app's log in this file (- for standard input)
  CHECK…   runs only these checks

With SLACK_CONFIG_TOKEN (api.slack.com/apps → Your App Configuration Tokens), it also compares the app's manifest
at Slack with the settings.`;

const flag = { type: 'boolean', default: false } as const;
const { values: options, positionals: names } = readArguments(
  USAGE,
  { list: flag, json: flag, fix: flag, support: { type: 'string' } },
  { most: CHECKS.length },
);
if (options.list) {
  process.stdout.write(listOfChecks());
} else {
  await runCommand(async () => {
    const env = environmentVariables();
    applyProxySettings(env);
    const examined = await examine(chosen(), {
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
  });
}

function chosen() {
  const unknown = names.find((name) => !CHECKS.some((check) => check.name === name));
  if (unknown) exitWithUsage(USAGE, `There is no check '${unknown}'.`);
  return names.length === 0 ? CHECKS : CHECKS.filter(({ name }) => names.includes(name));
}
