import { fileURLToPath } from 'node:url';
import { MAIN_ENTRY } from '../../fresh-bundle.ts';
import { launchApp } from '../app-process.ts';

const COMMANDS_ENTRY = fileURLToPath(new URL('../../../src/commands/app.ts', import.meta.url));
const PROGRAMS = [
  { entry: MAIN_ENTRY },
  { entry: COMMANDS_ENTRY, args: ['migrate'] },
  { entry: COMMANDS_ENTRY, args: ['manifest'] },
];

/**
 * Starts every program with invalid settings that contain secrets. @returns what they wrote
 *
 * @param env valid settings
 * @param secrets values, one of which is made invalid in each setting
 */
export async function outputOfWrongSettings(
  env: Record<string, string>,
  secrets: readonly string[],
): Promise<string[]> {
  const all = secrets.join(' ');
  const spoilt = Object.fromEntries(
    [
      ...Object.keys(env),
      ...['SLACK_SIGNING_SECRET', 'SLACK_APP_TOKEN', 'SLACK_CLIENT_SECRET', 'DESIGN_API_KEY'],
      ...['METRICS_TOKEN', 'PUBLIC_URL', 'LOG_LEVEL', 'DESIGN_API_TIMEZONE'],
    ].map((name) => [name, `${all}, ${name}`]),
  );
  const runs = PROGRAMS.flatMap((program) => [
    launchApp({ ...program, env: spoilt }),
    launchApp({ ...program, env: { ...env, ENCRYPTION_KEYS: all, DESIGN_API_KEY: all } }),
  ]);
  const refused = launchApp({ env: { ...env, SLACK_BOT_TOKEN: `${env.SLACK_BOT_TOKEN}-wrong` } });
  await Promise.all([...runs, refused].map(({ ended }) => ended));
  return [...runs, refused].flatMap(({ logLines }) => logLines);
}
