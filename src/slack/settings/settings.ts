import type { SlackDeps } from '../deps.ts';
import type { Submission } from '../listener/guard.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import type { ViewArgs } from '../listener/replies.ts';
import { buildNotice } from '../views/notice-view.ts';
import { buildSettingsView, readSettings, SETTINGS_TITLE } from './settings-view.ts';

type SettingsDeps = Pick<SlackDeps, 'settings' | 'now' | 'log'>;

const notice = (text: string) => buildNotice({ title: SETTINGS_TITLE, text });

/** `/design-request settings` */
export const settingsModal = (): ModalRequest => ({
  loading: notice('One moment…'),
  notice,
  async fill({ settings }, modal) {
    await modal.draw(buildSettingsView(settings));
  },
});

/** Saves the settings. */
export function onSettingsSubmitted(deps: SettingsDeps, { view }: ViewArgs): Submission {
  const settings = readSettings(view.state.values);
  return {
    title: SETTINGS_TITLE,
    busy: 'Saving…',
    async apply({ workspaceId, person }) {
      await deps.settings.save(workspaceId, settings, person.id, deps.now());
      deps.log.info({ workspace: workspaceId, by: person.id }, 'the settings were changed');
      return notice(':white_check_mark: Saved. New settings hold from now on.');
    },
  };
}
