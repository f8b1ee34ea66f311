import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '../../config/config-error.ts';
import { HOW_TO_GET } from '../../config/help.ts';
import { databaseIn } from '../../config/settings.ts';
import { PROXY_VARIABLES, proxyOfProcess } from '../../outgoing.ts';
import { isPostgres } from '../../store/database-location.ts';
import { DATABASE_PARTS } from '../../store/sqlite/path.ts';
import { exposed, makePrivate } from '../../store/sqlite/private-files.ts';
import { type Check, type CheckContext, failed, passed, warning } from './check.ts';

const settingsFinding = ({ problems }: ConfigError) =>
  failed(
    problems.map(({ setting, problem }) => `${setting} ${problem}`).join('\n'),
    [
      'npm run app -- setup. Or, one by one:',
      ...problems.map(({ setting }) => `${setting}: ${HOW_TO_GET[setting]}`),
    ].join('\n'),
  );

/** As many bytes as an HMAC-SHA-256 has; shorter keys are discouraged (RFC 2104, section 3). */
const SHORTEST_SECRET = 32;

/** Files of ours; folders are left out, since they may hold what is meant for others. */
function exposedOf({ env, envFile }: CheckContext): string[] {
  const location = databaseIn(env);
  const parts =
    location && !isPostgres(location) ? DATABASE_PARTS.map((part) => location.path + part) : [];
  const files = [envFile, ...parts].filter((path) => existsSync(path)).map((path) => resolve(path));
  const folders = new Set(files.map(dirname));
  return exposed(files).filter((path) => !folders.has(path));
}

export const settingsChecks: readonly Check[] = [
  {
    name: 'settings',
    about: 'Every setting that is needed is there and can be read.',
    run: ({ settings }) =>
      settings instanceof ConfigError ? settingsFinding(settings) : passed('complete'),
  },
  {
    name: 'secret-length',
    about: `METRICS_TOKEN has at least ${SHORTEST_SECRET} characters.`,
    atStart: true,
    run({ config: { metricsToken } }) {
      if (metricsToken === undefined || metricsToken.length >= SHORTEST_SECRET)
        return passed('long enough');
      return warning(
        `METRICS_TOKEN has fewer than ${SHORTEST_SECRET} characters, so it can be guessed.`,
        'Make a new one with `openssl rand -hex 32`. Prometheus needs it, too.',
      );
    },
  },
  {
    name: 'proxy',
    about: 'If variables name an outgoing proxy, Node uses it.',
    atStart: true,
    run({ env }) {
      const named = PROXY_VARIABLES.filter((name) => env[name]);
      if (named.length === 0) return passed('none');
      if (env.NODE_USE_ENV_PROXY === '1' || proxyOfProcess()) return passed(named.join(', '));
      return warning(
        `${named.join(', ')} names a proxy, which Node doesn't use.`,
        'Set NODE_USE_ENV_PROXY=1, or remove the variable if no proxy is needed.',
      );
    },
  },
  {
    name: 'private-files',
    about: "Only the app's user can read the settings file and the database.",
    run(context) {
      const paths = exposedOf(context);
      if (paths.length === 0) return passed('private');
      return warning(
        `Other users of this machine can access ${paths.join(', ')}.`,
        `Run: chmod go-rwx ${paths.join(' ')}. If its file system refuses that, mount it with file_mode=0600.`,
      );
    },
    async repair(context) {
      const paths = exposedOf(context);
      for (const path of paths) makePrivate(path);
      return `removed the permissions of others: ${paths.join(', ')}`;
    },
  },
];
