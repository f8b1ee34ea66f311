import { saveSettings } from '../../installations/save-settings.ts';
import { testProject } from '../connect/project.ts';
import type { SlackDeps } from '../deps.ts';
import type { Submission } from '../listener/guard.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import type { ViewArgs } from '../listener/replies.ts';
import { buildNotice } from '../views/notice-view.ts';
import { ONE_MOMENT } from '../words/modal.ts';
import { SETTINGS } from '../words/settings.ts';
import { buildSettingsView, readChannelSettings, readSettings } from './settings-view.ts';

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
  const settings = readSettings(view.state.values);
  const channel = readChannelSettings(view);
  return {
    title: SETTINGS.title,
    busy: SETTINGS.saving,
    async apply({ workspaceId, person }) {
      const before = await deps.settings.get(workspaceId);
      const typed = settings.projectId;
      const tested =
        typed === before.projectId
          ? { projectId: typed }
          : await testProject(deps, workspaceId, typed);
      if (tested.problem !== undefined) {
        const key = await deps.keys.describe(workspaceId);
        return buildSettingsView(settings, { key, projectProblem: tested.problem, channel });
      }
      const { projectId, note } = tested;
      const saved = { workspaceId, by: person.id, settings: { ...settings, projectId }, channel };
      await saveSettings(deps, saved);
      deps.log.info({ workspace: workspaceId, by: person.id }, 'the settings were changed');
      deps.homes.workspaceChanged(workspaceId);
      return notice([SETTINGS.saved, note].filter(Boolean).join('\n'));
    },
  };
}
