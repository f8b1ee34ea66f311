import { ConfigError } from './config-error.ts';
import {
  environment,
  LOOPBACK_HOSTS,
  OAUTH_SETTINGS,
  problemsOf,
  withoutBlanks,
} from './settings.ts';

/** What goes into the Slack app's manifest. */
export type ManifestSettings = ReturnType<typeof parseManifestSettings>;

export type ManifestOptions = { socket: boolean; many: boolean; workflowStep: boolean };

const manifestEnvironment = environment.pick({
  SLACK_APP_TOKEN: true,
  SLACK_CLIENT_ID: true,
  SLACK_CLIENT_SECRET: true,
  CARD_URL_TEMPLATE: true,
  PUBLIC_URL: true,
});

/**
 * Reads only what the manifest needs: most other settings come from the Slack app that is created from it.
 *
 * @param env names and values, as in `process.env`
 * @param options.socket Socket Mode, even without SLACK_APP_TOKEN
 * @param options.many many workspaces, even without the OAuth settings
 * @param options.workflowStep with the step in Workflow Builder
 * @throws ConfigError that names every missing or malformed setting, but never a value
 */
export function parseManifestSettings(
  env: Record<string, string | undefined>,
  options: ManifestOptions,
) {
  const given = withoutBlanks(env);
  const parsed = manifestEnvironment.safeParse(given);
  const problems = problemsOf(parsed.error, given);
  const socketMode = options.socket || given.SLACK_APP_TOKEN !== undefined;
  const manyWorkspaces = options.many || OAUTH_SETTINGS.some((name) => given[name] !== undefined);
  const { PUBLIC_URL: publicUrl } = parsed.data ?? {};
  const isReachable = publicUrl !== undefined && !LOOPBACK_HOSTS.has(new URL(publicUrl).hostname);
  const needsAddress = !socketMode || manyWorkspaces;
  if (!isReachable && needsAddress && !problems.some(({ setting }) => setting === 'PUBLIC_URL')) {
    const problem = given.PUBLIC_URL
      ? "points to this machine, where Slack can't reach it"
      : 'is missing';
    const hint = manyWorkspaces
      ? '. Serving many workspaces needs it.'
      : ' (or add --socket for Socket Mode).';
    problems.push({ setting: 'PUBLIC_URL', problem: problem + hint });
  }
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(problems, "The manifest can't be printed");
  }
  return {
    /** Where Slack reaches the app; undefined only in Socket Mode, which needs no address. */
    publicUrl: isReachable ? publicUrl : undefined,
    socketMode,
    manyWorkspaces,
    workflowStep: options.workflowStep,
    /** At least one. */
    cardUrlTemplates: parsed.data.CARD_URL_TEMPLATE,
  };
}
