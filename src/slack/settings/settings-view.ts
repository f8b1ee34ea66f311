import type { KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import type { WorkspaceSettings } from '../../store/workspace-settings.ts';
import { projectBlocks, readProject } from '../connect/project-view.ts';
import type { ViewValues } from '../views/view-values.ts';
import { CANCEL } from '../words/modal.ts';
import { SETTINGS } from '../words/settings.ts';
import { presetButtons } from './preset-view.ts';
import { recentChangesButton } from './recent-changes-view.ts';

export const SETTINGS_VIEW = 'settings';

const option = (value: string, text: string, description?: string): PlainTextOption => ({
  value,
  text: { type: 'plain_text', text },
  ...(description ? { description: { type: 'plain_text', text: description } } : {}),
});

const UNFURLS = {
  full: option('full', SETTINGS.unfurlsFull, SETTINGS.unfurlsFullDetail),
  compact: option('compact', SETTINGS.unfurlsCompact, SETTINGS.unfurlsCompactDetail),
  off: option('off', SETTINGS.unfurlsOff),
} as const satisfies Record<WorkspaceSettings['unfurls'], PlainTextOption>;

const SHARING = {
  shareExternally: option(
    'shareExternally',
    SETTINGS.shareExternally,
    SETTINGS.shareExternallyDetail,
  ),
  guestsAllowed: option('guestsAllowed', SETTINGS.guestsAllowed),
} as const;

/**
 * @param more.projectProblem why the project couldn't be saved
 * @param more.channelId where the settings were opened
 */
export function buildSettingsView(
  settings: WorkspaceSettings,
  { projectProblem, channelId }: { projectProblem?: string; channelId?: string | undefined } = {},
): ModalView {
  const sharing = [SHARING.shareExternally, SHARING.guestsAllowed];
  const chosen = sharing.filter(({ value }) =>
    value === 'guestsAllowed' ? settings.guestsAllowed : settings.shareExternally,
  );
  const blocks: KnownBlock[] = [
    {
      type: 'input',
      block_id: 'unfurls',
      label: { type: 'plain_text', text: SETTINGS.unfurls },
      element: {
        type: 'static_select',
        action_id: 'unfurls',
        options: Object.values(UNFURLS),
        initial_option: UNFURLS[settings.unfurls],
      },
    },
    {
      type: 'input',
      block_id: 'sharing',
      optional: true,
      label: { type: 'plain_text', text: SETTINGS.sharing },
      element: {
        type: 'checkboxes',
        action_id: 'sharing',
        options: sharing,
        ...(chosen.length > 0 ? { initial_options: chosen } : {}),
      },
    },
    ...projectBlocks(settings.projectId, projectProblem),
    presetButtons(channelId),
    recentChangesButton(),
  ];
  return {
    type: 'modal',
    callback_id: SETTINGS_VIEW,
    title: { type: 'plain_text', text: SETTINGS.title },
    submit: { type: 'plain_text', text: SETTINGS.save },
    close: { type: 'plain_text', text: CANCEL },
    blocks,
  };
}

/** Reads the submitted settings; anything unexpected falls back to showing less. */
export function readSettings(values: ViewValues): WorkspaceSettings {
  const unfurls = values.unfurls?.unfurls?.selected_option?.value;
  const sharing = new Set(
    (values.sharing?.sharing?.selected_options ?? []).map(({ value }) => value),
  );
  return {
    unfurls: unfurls === 'full' || unfurls === 'compact' ? unfurls : 'off',
    shareExternally: sharing.has('shareExternally'),
    guestsAllowed: sharing.has('guestsAllowed'),
    projectId: readProject(values),
  };
}
