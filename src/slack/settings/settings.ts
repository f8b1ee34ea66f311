import { saveSettings } from '../../installations/save-settings.ts';
import { testProject } from '../connect/project.ts';
import type { SlackDeps } from '../deps.ts';
import type { Submission } from '../listener/guard.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import type { ViewArgs } from '../listener/replies.ts';
import { buildNotice } from '../views/notice-view.ts';
import { ONE_MOMENT } from '../words/modal.ts';
import { SETTINGS } from '../words/settings.ts';
import {
  buildSettingsView,
  readChannelSettings,
  readSettings,
  readShown,
} from './settings-view.ts';

type SettingsDeps = Pick<
  SlackDeps,
  'transact' | 'settings' | 'channelSettings' | 'keys' | 'homes' | 'service' | 'now' | 'log'
>;

const notice = (text: string) => buildNotice({ title: SETTINGS.title, text });

/** `/design-request settings` */
export const settingsModal = (
  deps: Pick<SettingsDeps, 'settings' | 'channelSettings' | 'keys'>,
  channelId: string | undefined,
): ModalRequest => ({
  loading: notice(ONE_MOMENT),
  notice,
  async fill({ workspaceId }, modal) {
    const settings = await deps.settings.get(workspaceId);
    const channel = channelId && {
      id: channelId,
      settings: await deps.channelSettings.get(workspaceId, channelId),
    };
    const key = await deps.keys.describe(workspaceId);
    await modal.draw(buildSettingsView(settings, { key, channel: channel || undefined }));
  },
});

export function onSettingsSubmitted(deps: SettingsDeps, { view }: ViewArgs): Submission {
  const { values } = view.state;
  const chosen = readSettings(values);
  const shown = readShown(view);
  const channel = shown.channel && {
    id: shown.channel.id,
    before: shown.channel.settings,
    settings: readChannelSettings(values),
  };
  return {
    title: SETTINGS.title,
    busy: SETTINGS.saving,
    async apply({ workspaceId, person }) {
      const before = await deps.settings.get(workspaceId);
      const settings = withChanges(before, shown.settings, chosen);
      const typed = settings.projectId;
      const tested =
        typed === before.projectId
          ? { projectId: typed }
          : await testProject(deps, workspaceId, typed);
      if (tested.problem !== undefined) {
        const key = await deps.keys.describe(workspaceId);
        const projectProblem = tested.problem;
        return buildSettingsView(chosen, { key, projectProblem, channel, shown });
      }
      const { projectId, note } = tested;
      const here = channel && {
        id: channel.id,
        settings: withChanges(
          await deps.channelSettings.get(workspaceId, channel.id),
          channel.before,
          channel.settings,
        ),
      };
      const saved = { settings: { ...settings, projectId }, channel: here };
      await saveSettings(deps, { workspaceId, by: person.id, ...saved });
      deps.log.info({ workspace: workspaceId, by: person.id }, 'the settings were changed');
      deps.homes.workspaceChanged(workspaceId);
      return notice([SETTINGS.saved, note].filter(Boolean).join('\n'));
    },
  };
}

/** What holds now with what the person changed: the rest may have been changed since it was shown. */
function withChanges<T extends object>(now: T, shown: T | undefined, chosen: T): T {
  const keys = Object.keys(chosen) as (keyof T)[];
  const changed = keys.filter((key) => !shown || chosen[key] !== shown[key]);
  return Object.assign({ ...now }, ...changed.map((key) => ({ [key]: chosen[key] })));
}
