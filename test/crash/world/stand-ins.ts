import { parseConfig } from '../../../src/config/config.ts';
import { workspaceIdOf } from '../../../src/installations/workspace-id.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { openStores } from '../../../src/store/open-stores.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { openStage } from '../../sandbox/stage.ts';
import type { Scenario } from '../scenario.ts';

export type StandIns = Awaited<ReturnType<typeof startStandIns>>;

/** Stand-ins for Slack, with people in it, and for the design service; both use the given clock. */
export async function startStandIns(clock: () => Date) {
  // The world redelivers when the app is back; Slack's own retries would run on real timers.
  const stage = await openStage({ slack: { clock, retryDelaysMs: [] }, service: { clock } });
  const bob = stage.acme.addUser({ name: 'Bob' });
  stage.general.members.add(bob.id);
  return { ...stage, bob };
}

/** @param at the addresses that one process is given */
export function settingsFor(
  { environment, slack, service }: StandIns,
  at: { slack: string; service: string; databaseUrl: string },
  { isInstalledByOAuth = false }: { isInstalledByOAuth?: boolean },
): Record<string, string> {
  return {
    ...environment(''),
    ...(isInstalledByOAuth
      ? {
          SLACK_BOT_TOKEN: '',
          SLACK_CLIENT_ID: slack.clientId,
          SLACK_CLIENT_SECRET: slack.clientSecret,
        }
      : { DESIGN_API_KEY: service.apiKey }),
    SLACK_API_URL: `${at.slack}/api/`,
    DESIGN_API_BASE_URL: `${at.service}/client/api`,
    DATABASE_URL: at.databaseUrl,
  };
}

export async function prepare(
  scenario: Scenario,
  standIns: StandIns,
  settings: Record<string, string>,
): Promise<void> {
  if (!scenario.prepare && !scenario.isInstalledByOAuth) return;
  const { stores, close } = await openStores(parseConfig(settings), createLog({ level: 'silent' }));
  try {
    if (scenario.isInstalledByOAuth) await install(stores, standIns);
    await scenario.prepare?.(stores, standIns);
  } finally {
    await close();
  }
}

async function install({ installations, keys }: Stores, { slack, service, acme, ada }: StandIns) {
  const id = workspaceIdOf(acme.id);
  const at = slack.state.clock();
  await installations.save(
    {
      id,
      token: acme.botToken,
      refreshToken: undefined,
      expiresAt: undefined,
      botUserId: acme.botUserId,
      installedBy: ada.id,
      scopes: [...slack.state.manifest.botScopes],
    },
    at,
  );
  await keys.save(id, service.apiKey, ada.id, at);
}
