import type { SettingProblem } from './config-error.ts';
import type { Variables } from './platform.ts';
import { environment, LOOPBACK_HOSTS, OAUTH_SETTINGS, parseSettings } from './settings.ts';

export type ManifestSettings = ReturnType<typeof parseManifestSettings>;

/** `socket` and `many` hold even if the settings don't say so. */
export type ManifestOptions = { socket: boolean; many: boolean; workflowStep: boolean };

const NEEDED = environment.pick({
  SLACK_APP_TOKEN: true,
  SLACK_CLIENT_ID: true,
  SLACK_CLIENT_SECRET: true,
  CARD_URL_TEMPLATE: true,
  PUBLIC_URL: true,
});

/** Reads only what the manifest needs: most other settings come from the Slack app that is created from it. */
export function parseManifestSettings(env: Variables, options: ManifestOptions) {
  let [many, socket] = [options.many, options.socket];
  const combined = (given: Record<string, string>): SettingProblem[] => {
    many ||= OAUTH_SETTINGS.some((name) => given[name] !== undefined);
    socket ||= given.SLACK_APP_TOKEN !== undefined;
    if (isReachable(given.PUBLIC_URL) || (socket && !many)) return [];
    const problem = given.PUBLIC_URL
      ? "points to this machine, where Slack can't reach it"
      : 'is missing';
    const hint = many
      ? '. Serving many workspaces needs it.'
      : ' (or add --socket for Socket Mode).';
    return [{ setting: 'PUBLIC_URL', problem: problem + hint }];
  };
  const consequence = "The manifest can't be printed";
  const settings = parseSettings(NEEDED, env, { consequence, combined });
  return {
    /** Where Slack reaches the app; undefined only in Socket Mode, which needs no address. */
    publicUrl: isReachable(settings.PUBLIC_URL) ? settings.PUBLIC_URL : undefined,
    socketMode: socket,
    manyWorkspaces: many,
    workflowStep: options.workflowStep,
    /** At least one. */
    cardUrlTemplates: settings.CARD_URL_TEMPLATE,
  };
}

/** A malformed address has another problem. */
const isReachable = (publicUrl: string | undefined) =>
  publicUrl !== undefined && !LOOPBACK_HOSTS.has(URL.parse(publicUrl)?.hostname ?? '');
