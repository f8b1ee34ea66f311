import { fileURLToPath } from 'node:url';
import { MAIN_ENTRY } from '../../fresh-bundle.ts';
import { launchApp } from '../app-process.ts';

const entry = (path: string) => fileURLToPath(new URL(`../../../src/${path}`, import.meta.url));
const ENTRIES = [MAIN_ENTRY, entry('commands/migrate.ts'), entry('commands/manifest.ts')];

/**
 * Starts every entry with invalid settings that contain secrets. @returns what they wrote
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
  const runs = ENTRIES.flatMap((path) => [
    launchApp({ entry: path, env: spoilt }),
    launchApp({ entry: path, env: { ...env, ENCRYPTION_KEYS: all, DESIGN_API_KEY: all } }),
  ]);
  const refused = launchApp({ env: { ...env, SLACK_BOT_TOKEN: `${env.SLACK_BOT_TOKEN}-wrong` } });
  await Promise.all([...runs, refused].map(({ ended }) => ended));
  return [...runs, refused].flatMap(({ logLines }) => logLines);
}
