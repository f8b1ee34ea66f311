import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { Log } from '../../ops/logging.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import type { Homes } from '../home/homes.ts';
import type { ModalSubmission, ModalToOpen } from '../surface/open-modal.ts';
import type { ViewArgs } from '../surface/replies.ts';
import { SETTINGS } from '../words/settings.ts';
import type { SettingsChanges } from './project.ts';
import {
  buildSettingsView,
  readChannelSettings,
  readSettings,
  readShown,
} from './settings-view.ts';

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
        const changed = changesIn(shown.settings, chosen);
        const here = channel && {
          id: channel.id,
          changed: changesIn(channel.before, channel.settings),
        };
        const change = { workspaceId, by: person, changed, channel: here };
        const { problem, note } = await deps.settingsChanges.save(change);
        if (problem !== undefined) {
          const key = await deps.keys.describe(workspaceId);
          return buildSettingsView(chosen, { key, projectProblem: problem, channel, shown });
        }
        deps.log.info({ workspace: workspaceId, by: person.id }, 'the settings were changed');
        deps.homes.workspaceChanged(workspaceId);
        return [SETTINGS.saved, note].filter(Boolean).join('\n');
      },
    };
  },
});

/** Only what the person changed: someone else may have changed the rest since it was shown. */
function changesIn<T extends object>(shown: T | undefined, chosen: T): Partial<T> {
  const keys = Object.keys(chosen) as (keyof T)[];
  const changed = keys.filter((key) => !shown || chosen[key] !== shown[key]);
  return Object.assign({}, ...changed.map((key) => ({ [key]: chosen[key] })));
}
