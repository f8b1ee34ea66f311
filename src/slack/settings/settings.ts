import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { Log } from '../../ops/logging.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import type { Homes } from '../home/homes.ts';
import type { ModalSubmission, ModalToOpen } from '../surface/open-modal.ts';
import type { ViewArgs } from '../surface/replies.ts';
import { SETTINGS } from '../words/settings.ts';
import { changesIn, type SaveSettings } from './project.ts';
import { buildSettingsView, readSettings } from './settings-view.ts';

export type SettingsModal = ReturnType<typeof createSettingsModal>;

export const createSettingsModal = (deps: {
  settings: WorkspaceSettingsStore;
  keys: Pick<EffectiveKeys, 'describe'>;
  saveSettings: SaveSettings;
  homes: Homes;
  log: Log;
}) => ({
  /** `/design-request settings` */
  open: (channelId: string | undefined): ModalToOpen => ({
    title: SETTINGS.title,
    async fill({ workspaceId }, modal) {
      const settings = await deps.settings.get(workspaceId);
      const channel = channelId
        ? { id: channelId, settings: await deps.settings.ofChannels.get(workspaceId, channelId) }
        : undefined;
      const key = await deps.keys.describe(workspaceId);
      await modal.draw(buildSettingsView({ settings, channel }, { key }));
    },
  }),

  onSubmitted({ view }: ViewArgs): ModalSubmission {
    const { first, chosen } = readSettings(view);
    return {
      title: SETTINGS.title,
      busy: SETTINGS.saving,
      async apply({ workspaceId, person }) {
        const channel = chosen.channel && {
          id: chosen.channel.id,
          changed: changesIn(first.channel?.settings ?? {}, chosen.channel.settings),
        };
        const changed = changesIn(first.settings, chosen.settings);
        const change = { workspaceId, by: person, changed, channel };
        const { problem: projectProblem, note } = await deps.saveSettings(change);
        if (projectProblem !== undefined) {
          const key = await deps.keys.describe(workspaceId);
          return buildSettingsView(chosen, { key, projectProblem, first });
        }
        deps.log.info({ workspace: workspaceId, by: person.id }, 'the settings were changed');
        deps.homes.workspaceChanged(workspaceId);
        return [SETTINGS.saved, note].filter(Boolean).join('\n');
      },
    };
  },
});
