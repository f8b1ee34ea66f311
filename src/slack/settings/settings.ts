import type { SlackDeps } from '../deps.ts';
import { type ViewArgs, workspaceOf } from '../listeners.ts';
import { refuseAdministering } from '../permissions.ts';
import type { SlackClient } from '../slack-client.ts';
import { drawOutcome } from '../views/draw-outcome.ts';
import { buildNotice } from '../views/notice-view.ts';
import { openForAdmin } from '../views/open-for-admin.ts';
import { buildSettingsView, readSettings, SETTINGS_TITLE } from './settings-view.ts';

type SettingsDeps = Pick<SlackDeps, 'settings' | 'people' | 'jobs' | 'now' | 'log'>;

/** `/design-request settings` */
export function openSettings(
  deps: SettingsDeps,
  client: SlackClient,
  input: { triggerId: string; workspaceId: string; userId: string },
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
  const saving = buildNotice({ title: SETTINGS_TITLE, text: 'Saving…' });
  await ack({ response_action: 'update', view: saving });

  const person = await deps.people.whoIs(client, workspaceId, body.user.id, { fresh: true });
  const refusal = refuseAdministering(person);
  if (!refusal) {
    await deps.settings.save(workspaceId, settings, body.user.id, deps.now());
    deps.log.info({ workspace: workspaceId, by: body.user.id }, 'the settings were changed');
  }
  const text = refusal ?? ':white_check_mark: Saved. New settings hold from now on.';
  const drawn = buildNotice({ title: SETTINGS_TITLE, text });
  await drawOutcome(deps, client, { workspaceId, viewId: view.id, view: drawn });
}
