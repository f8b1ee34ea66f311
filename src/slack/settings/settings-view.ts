import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import type { ChannelSettings, Previews, WorkspaceSettings } from '../../installations/settings.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { connectionBlock } from '../connect/connection.ts';
import { projectBlocks, readProjectId } from '../connect/project.ts';
import { plainText } from '../text/blocks.ts';
import { buildModal } from '../views/modal.ts';
import type { ViewValues } from '../views/view-values.ts';
import { SETTINGS } from '../words/settings.ts';
import { WORK_OBJECT_SETTING } from '../words/work-object.ts';
import { presetButtons } from './preset-view.ts';
import { recentChangesButton } from './recent-changes.ts';

export const SETTINGS_VIEW = 'settings';

const option = (value: string, text: string, description?: string): PlainTextOption => ({
  value,
  text: plainText(text),
  ...(description ? { description: plainText(description) } : {}),
});

const UNFURLS = {
  small: option('small', SETTINGS.unfurlsSmall, SETTINGS.unfurlsSmallDetail),
  large: option('large', SETTINGS.unfurlsLarge, SETTINGS.unfurlsLargeDetail),
  off: option('off', SETTINGS.unfurlsOff),
} as const satisfies Record<Previews, PlainTextOption>;
const AS_ELSEWHERE = option('as-elsewhere', SETTINGS.unfurlsAsElsewhere);

const WORK_OBJECTS = {
  off: option('off', WORK_OBJECT_SETTING.off),
  on: option('on', WORK_OBJECT_SETTING.on),
  gallery: option('gallery', WORK_OBJECT_SETTING.gallery, WORK_OBJECT_SETTING.galleryDetail),
} as const satisfies Record<WorkspaceSettings['workObjects'], PlainTextOption>;

const SHARING = {
  shareExternally: option(
    'shareExternally',
    SETTINGS.shareExternally,
    SETTINGS.shareExternallyDetail,
  ),
  guestsAllowed: option('guestsAllowed', SETTINGS.guestsAllowed),
};

const MUTED = {
  everywhere: option('everywhere', SETTINGS.muted, SETTINGS.mutedDetail),
  here: option('here', SETTINGS.mutedHere, SETTINGS.mutedHereDetail),
} as const;

/** The channel where the settings were opened, and what it has of its own. */
export type SettingsChannel = { id: string; settings: ChannelSettings };

/** What held when the settings were opened. */
type SettingsShown = {
  settings?: WorkspaceSettings;
  channel?: { id: string; settings?: ChannelSettings } | undefined;
};

/**
 * @param more.projectProblem why the project couldn't be saved
 * @param more.shown what was shown first, if this isn't that
 */
export function buildSettingsView(
  settings: WorkspaceSettings,
  more: {
    key: ApiKeyRecord | undefined;
    projectProblem?: string;
    channel?: SettingsChannel | undefined;
    shown?: SettingsShown;
  },
): ModalView {
  const { key, projectProblem, channel, shown = { settings, channel } } = more;
  const chosen = [
    ...(settings.shareExternally ? [SHARING.shareExternally] : []),
    ...(settings.guestsAllowed ? [SHARING.guestsAllowed] : []),
  ];
  const blocks: KnownBlock[] = [
    connectionBlock(key),
    menu('unfurls', SETTINGS.unfurls, Object.values(UNFURLS), UNFURLS[settings.unfurls]),
    ...(channel ? [channelMenu(channel)] : []),
    checkboxes('sharing', SETTINGS.sharing, Object.values(SHARING), chosen),
    mutedBlock(settings, channel),
    {
      ...menu(
        'workObjects',
        WORK_OBJECT_SETTING.label,
        Object.values(WORK_OBJECTS),
        WORK_OBJECTS[settings.workObjects],
      ),
      hint: plainText(WORK_OBJECT_SETTING.hint),
    },
    ...projectBlocks(settings.projectId, projectProblem),
    ...presetButtons(channel?.id),
    ...recentChangesButton(),
  ];
  return buildModal({
    title: SETTINGS.title,
    submit: SETTINGS.save,
    callbackId: SETTINGS_VIEW,
    metadata: JSON.stringify(shown),
    blocks,
  });
}

function mutedBlock(
  { muted }: WorkspaceSettings,
  channel: SettingsChannel | undefined,
): InputBlock {
  const chosen = [
    ...(muted ? [MUTED.everywhere] : []),
    ...(channel?.settings.muted ? [MUTED.here] : []),
  ];
  const options = [MUTED.everywhere, ...(channel ? [MUTED.here] : [])];
  return checkboxes('muted', SETTINGS.changes, options, chosen);
}

const checkboxes = (
  name: string,
  text: string,
  options: PlainTextOption[],
  chosen: PlainTextOption[],
): InputBlock => ({
  type: 'input',
  block_id: name,
  optional: true,
  label: plainText(text),
  element: {
    type: 'checkboxes',
    action_id: name,
    options,
    ...(chosen.length > 0 ? { initial_options: chosen } : {}),
  },
});

const mutedIn = (values: ViewValues, where: keyof typeof MUTED): true | undefined =>
  (values.muted?.muted?.selected_options ?? []).some(({ value }) => value === where) || undefined;

function channelMenu({ settings: { unfurls } }: SettingsChannel): InputBlock {
  const chosen = unfurls ? UNFURLS[unfurls] : AS_ELSEWHERE;
  const options = [AS_ELSEWHERE, ...Object.values(UNFURLS)];
  return menu('unfurls-here', SETTINGS.unfurlsHere, options, chosen);
}

const menu = (
  name: string,
  text: string,
  options: PlainTextOption[],
  initial_option: PlainTextOption,
): InputBlock => ({
  type: 'input',
  block_id: name,
  label: plainText(text),
  element: { type: 'static_select', action_id: name, options, initial_option },
});

export const readShown = (view: { private_metadata: string }): SettingsShown =>
  JSON.parse(view.private_metadata);

/** What was chosen for the channel where the settings were opened. */
export function readChannelSettings(values: ViewValues): ChannelSettings {
  const chosen = values['unfurls-here']?.['unfurls-here']?.selected_option?.value;
  return { unfurls: isPreviews(chosen) ? chosen : undefined, muted: mutedIn(values, 'here') };
}

const isPreviews = (value: string | undefined): value is Previews =>
  value !== undefined && Object.hasOwn(UNFURLS, value);

/** Reads the submitted settings; anything unexpected falls back to showing less. */
export function readSettings(values: ViewValues): WorkspaceSettings {
  const unfurls = values.unfurls?.unfurls?.selected_option?.value;
  const workObjects = values.workObjects?.workObjects?.selected_option?.value;
  const sharing = new Set(
    (values.sharing?.sharing?.selected_options ?? []).map(({ value }) => value),
  );
  return {
    unfurls: isPreviews(unfurls) ? unfurls : 'off',
    shareExternally: sharing.has('shareExternally'),
    guestsAllowed: sharing.has('guestsAllowed'),
    muted: mutedIn(values, 'everywhere'),
    projectId: readProjectId(values),
    workObjects: workObjects === 'on' || workObjects === 'gallery' ? workObjects : 'off',
  };
}
