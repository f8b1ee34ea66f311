import type { KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import type { WorkspaceSettings } from '../../store/workspace-settings.ts';
import { typedText } from '../text/typed.ts';
import type { ViewValues } from '../views/view-values.ts';

export const SETTINGS_VIEW = 'settings';
export const SETTINGS_TITLE = 'Settings';

/** Longer than any id that is likely, in characters. */
const PROJECT_ID_MAX = 200;

const option = (value: string, text: string, description?: string): PlainTextOption => ({
  value,
  text: { type: 'plain_text', text },
  ...(description ? { description: { type: 'plain_text', text: description } } : {}),
});

const UNFURLS = {
  full: option('full', 'In full', 'Status, description, facts and picture'),
  compact: option('compact', 'Compactly', 'Title and main facts'),
  off: option('off', 'Not at all'),
} as const satisfies Record<WorkspaceSettings['unfurls'], PlainTextOption>;

const SHARING = {
  shareExternally: option(
    'shareExternally',
    'Show cards in channels shared with another company',
    'Everybody there sees them',
  ),
  guestsAllowed: option('guestsAllowed', 'Let guests make requests and see cards'),
} as const;

export function buildSettingsView(settings: WorkspaceSettings): ModalView {
  const sharing = [SHARING.shareExternally, SHARING.guestsAllowed];
  const chosen = sharing.filter(({ value }) =>
    value === 'guestsAllowed' ? settings.guestsAllowed : settings.shareExternally,
  );
  const blocks: KnownBlock[] = [
    {
      type: 'input',
      block_id: 'unfurls',
      label: { type: 'plain_text', text: 'Card links' },
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
      label: { type: 'plain_text', text: 'Guests and other companies' },
      element: {
        type: 'checkboxes',
        action_id: 'sharing',
        options: sharing,
        ...(chosen.length > 0 ? { initial_options: chosen } : {}),
      },
    },
    {
      type: 'input',
      block_id: 'project',
      optional: true,
      label: { type: 'plain_text', text: 'Project id' },
      hint: {
        type: 'plain_text',
        text: 'The project of your design service in which new cards stand. When a connection breaks while a request is sent, it is looked for there before you are asked.',
      },
      element: {
        type: 'plain_text_input',
        action_id: 'project',
        max_length: PROJECT_ID_MAX,
        ...(settings.projectId ? { initial_value: settings.projectId } : {}),
      },
    },
  ];
  return {
    type: 'modal',
    callback_id: SETTINGS_VIEW,
    title: { type: 'plain_text', text: SETTINGS_TITLE },
    submit: { type: 'plain_text', text: 'Save' },
    close: { type: 'plain_text', text: 'Cancel' },
    blocks,
  };
}

/** What the settings modal says; anything odd falls back to showing less. */
export function readSettings(values: ViewValues): WorkspaceSettings {
  const unfurls = values.unfurls?.unfurls?.selected_option?.value;
  const sharing = new Set(
    (values.sharing?.sharing?.selected_options ?? []).map(({ value }) => value),
  );
  return {
    unfurls: unfurls === 'full' || unfurls === 'compact' ? unfurls : 'off',
    shareExternally: sharing.has('shareExternally'),
    guestsAllowed: sharing.has('guestsAllowed'),
    projectId: typedText(values.project?.project?.value ?? '').trim() || undefined,
  };
}
