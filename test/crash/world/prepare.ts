import { parseConfig } from '../../../src/config/config.ts';
import { workspaceIdOf } from '../../../src/installations/workspace-id.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { openStores } from '../../../src/store/open-stores.ts';
import type { Stores } from '../../../src/store/stores.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { StandIns } from './stand-ins.ts';

/** Stores what is there before a scenario begins. */
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

/** The workspace installed the app, and connected its key. */
async function install(
  { installations, keys }: Stores,
  { slack, service, acme, ada }: StandIns,
): Promise<void> {
  const id = workspaceIdOf(acme.id);
  const at = slack.state.clock();
  await installations.save(
    {
      ...{ id, token: acme.botToken, refreshToken: undefined, expiresAt: undefined },
      ...{ botUserId: acme.botUserId, installedBy: ada.id },
      scopes: [...slack.state.manifest.botScopes],
    },
    at,
  );
  await keys.save(id, service.apiKey, ada.id, at);
}
