import type { EffectiveKeys } from '../../installations/effective-keys.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { Log } from '../../ops/logging.ts';
import type { Homes } from '../home/homes.ts';
import type { ModalSubmission, ModalToOpen } from '../surface/open-modal.ts';
import type { ViewArgs } from '../surface/replies.ts';
import { SETTINGS } from '../words/settings.ts';
import type { SettingsChanges } from './project.ts';
import { buildSettingsView, readChannel, readSettings } from './settings-view.ts';

export type SettingsModal = ReturnType<typeof createSettingsModal>;

export const createSettingsModal = (deps: {
  settings: WorkspaceSettingsStore;
  keys: Pick<EffectiveKeys, 'describe'>;
  settingsChanges: SettingsChanges;
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
      await modal.draw(buildSettingsView(settings, { key, channel }));
    },
  }),

  onSubmitted({ view }: ViewArgs): ModalSubmission {
    const settings = readSettings(view.state.values);
    const channel = readChannel(view);
    return {
      title: SETTINGS.title,
      busy: SETTINGS.saving,
      async apply({ workspaceId, person }) {
        const change = { workspaceId, by: person, changed: settings, channel };
        const { problem, note } = await deps.settingsChanges.save(change);
        if (problem !== undefined) {
          const key = await deps.keys.describe(workspaceId);
          return buildSettingsView(settings, { key, projectProblem: problem, channel });
        }
        deps.log.info({ workspace: workspaceId, by: person.id }, 'the settings were changed');
        deps.homes.workspaceChanged(workspaceId);
        return [SETTINGS.saved, note].filter(Boolean).join('\n');
      },
    };
  },
});
