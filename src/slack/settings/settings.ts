import type { WorkspaceSettings } from '../../store/workspace-settings.ts';
import type { WorkspaceId } from '../../workspaces/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import { type ViewArgs, workspaceOf } from '../listeners.ts';
import { isFirstTime } from '../once.ts';
import { refuseAdministering } from '../permissions.ts';
import type { SlackClient } from '../slack-client.ts';
import { reportUnexpected } from '../unexpected.ts';
import { buildNotice } from '../views/notice-view.ts';
import { openForAdmin } from '../views/open-for-admin.ts';
import { buildSettingsView, readSettings, SETTINGS_TITLE } from './settings-view.ts';

type SettingsDeps = Pick<
  SlackDeps,
  'settings' | 'people' | 'interactions' | 'outcomes' | 'now' | 'log'
>;

/** `/design-request settings` */
export function openSettings(
  deps: SettingsDeps,
  client: SlackClient,
  input: { triggerId: string; workspaceId: WorkspaceId; userId: string },
): Promise<void> {
  return openForAdmin(deps, client, {
    ...input,
    title: SETTINGS_TITLE,
    build: async () => buildSettingsView(await deps.settings.get(input.workspaceId)),
  });
}

/** Saves the settings, if whoever sent them is an admin still. */
export async function onSettingsSubmitted(deps: SettingsDeps, args: ViewArgs): Promise<void> {
  const { view, body, client, context, ack } = args;
  const workspaceId = workspaceOf(context);
  const settings = readSettings(view.state.values);
  const draw = deps.outcomes.submitted({ workspaceId, viewId: view.id });
  const saving = buildNotice({ title: SETTINGS_TITLE, text: 'Saving…' });
  await ack({ response_action: 'update', view: saving });

  const input = { workspaceId, userId: body.user.id, settings };
  const saved = async () => (await isFirstTime(deps, args)) && save(deps, client, input);
  const text = await saved().catch((error: unknown) =>
    reportUnexpected(deps.log, error, 'settings could not be saved'),
  );
  if (text) await draw(client, buildNotice({ title: SETTINGS_TITLE, text }));
}

/** @returns what came of it, in words */
async function save(
  deps: SettingsDeps,
  client: SlackClient,
  input: { workspaceId: WorkspaceId; userId: string; settings: WorkspaceSettings },
): Promise<string> {
  const { workspaceId, userId, settings } = input;
  const person = await deps.people.whoIs(client, workspaceId, userId, { fresh: true });
  const refusal = refuseAdministering(person);
  if (refusal) return refusal;
  await deps.settings.save(workspaceId, settings, userId, deps.now());
  deps.log.info({ workspace: workspaceId, by: userId }, 'the settings were changed');
  return ':white_check_mark: Saved. New settings hold from now on.';
}
