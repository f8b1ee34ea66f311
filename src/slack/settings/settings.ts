import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import type {
  ChannelSettings,
  Previews,
  WorkspaceSettings,
  WorkspaceSettingsStore,
} from '../../installations/settings.ts';
import type { Log } from '../../ops/logging.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import type { Homes } from '../home/homes.ts';
import { connectionBlock } from '../surface/connection.ts';
import type { Submission } from '../surface/interactions.ts';
import type { ModalSubmission, ModalToOpen } from '../surface/open-modal.ts';
import { buildModal, type ViewValues } from '../surface/views.ts';
import { plainText } from '../text/blocks.ts';
import { SETTINGS } from '../words/settings.ts';
import { WORK_OBJECT_SETTING } from '../words/work-object.ts';
import { presetButtons } from './preset.ts';
import { changesIn, projectBlocks, readProjectId, type SaveSettings } from './project.ts';
import { recentChangesButton } from './recent-changes.ts';

export const SETTINGS_VIEW = 'settings';

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

  onSubmitted({ view }: Submission): ModalSubmission {
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

const { shareExternally, shareExternallyDetail, guestsAllowed } = SETTINGS;
const SHARE_EXTERNALLY = option('shareExternally', shareExternally, shareExternallyDetail);
const GUESTS_ALLOWED = option('guestsAllowed', guestsAllowed);
const MUTED_EVERYWHERE = option('everywhere', SETTINGS.muted, SETTINGS.mutedDetail);
const MUTED_HERE = option('here', SETTINGS.mutedHere, SETTINGS.mutedHereDetail);

/** What the modal shows: the settings of the workspace, and of the channel where it was opened. */
type ShownSettings = {
  settings: WorkspaceSettings;
  channel?: { id: string; settings: ChannelSettings } | undefined;
};

/** @param more.first what was shown first, if this is shown again */
function buildSettingsView(
  shown: ShownSettings,
  more: { key: ApiKeyRecord | undefined; projectProblem?: string; first?: ShownSettings },
): ModalView {
  const { settings, channel } = shown;
  const here = channel?.settings;
  const previews = Object.values(UNFURLS);
  const previewsHere = here?.unfurls ? UNFURLS[here.unfurls] : AS_ELSEWHERE;
  const workObjects = menu(
    'workObjects',
    WORK_OBJECT_SETTING.label,
    Object.values(WORK_OBJECTS),
    WORK_OBJECTS[settings.workObjects],
  );
  const blocks: KnownBlock[] = [
    connectionBlock(more.key),
    menu('unfurls', SETTINGS.unfurls, previews, UNFURLS[settings.unfurls]),
    ...(here
      ? [menu('unfurls-here', SETTINGS.unfurlsHere, [AS_ELSEWHERE, ...previews], previewsHere)]
      : []),
    checkboxes('sharing', SETTINGS.sharing, [
      [SHARE_EXTERNALLY, settings.shareExternally],
      [GUESTS_ALLOWED, settings.guestsAllowed],
    ]),
    checkboxes('muted', SETTINGS.changes, [
      [MUTED_EVERYWHERE, settings.muted],
      ...(here ? [[MUTED_HERE, here.muted] as const] : []),
    ]),
    { ...workObjects, hint: plainText(WORK_OBJECT_SETTING.hint) },
    ...projectBlocks(settings.projectId, more.projectProblem),
    ...presetButtons(channel?.id),
    ...recentChangesButton(),
  ];
  return buildModal({
    title: SETTINGS.title,
    submit: SETTINGS.save,
    callbackId: SETTINGS_VIEW,
    metadata: JSON.stringify(more.first ?? shown),
    blocks,
  });
}

function checkboxes(
  name: string,
  text: string,
  boxes: readonly (readonly [PlainTextOption, isChecked: boolean | undefined])[],
): InputBlock {
  const checked = boxes.flatMap(([box, isChecked]) => (isChecked ? [box] : []));
  return {
    type: 'input',
    block_id: name,
    optional: true,
    label: plainText(text),
    element: {
      type: 'checkboxes',
      action_id: name,
      options: boxes.map(([box]) => box),
      ...(checked.length > 0 ? { initial_options: checked } : {}),
    },
  };
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

const chosenIn = (values: ViewValues, name: string): string | undefined =>
  values[name]?.[name]?.selected_option?.value;

const isChecked = (values: ViewValues, name: string, { value: box }: PlainTextOption): boolean =>
  (values[name]?.[name]?.selected_options ?? []).some(({ value }) => value === box);

const isPreviews = (value: string | undefined): value is Previews =>
  value !== undefined && Object.hasOwn(UNFURLS, value);

/** Reads what a submitted modal showed first, and what was chosen. Anything unexpected falls back to showing less. */
function readSettings(view: { private_metadata: string; state: { values: ViewValues } }) {
  const { values } = view.state;
  const first: ShownSettings = JSON.parse(view.private_metadata);
  const unfurls = chosenIn(values, 'unfurls');
  const unfurlsHere = chosenIn(values, 'unfurls-here');
  const workObjects = chosenIn(values, 'workObjects');
  const chosen: ShownSettings = {
    settings: {
      unfurls: isPreviews(unfurls) ? unfurls : 'off',
      shareExternally: isChecked(values, 'sharing', SHARE_EXTERNALLY),
      guestsAllowed: isChecked(values, 'sharing', GUESTS_ALLOWED),
      muted: isChecked(values, 'muted', MUTED_EVERYWHERE) || undefined,
      projectId: readProjectId(values),
      workObjects: workObjects === 'on' || workObjects === 'gallery' ? workObjects : 'off',
    },
    channel: first.channel && {
      id: first.channel.id,
      settings: {
        unfurls: isPreviews(unfurlsHere) ? unfurlsHere : undefined,
        muted: isChecked(values, 'muted', MUTED_HERE) || undefined,
      },
    },
  };
  return { first, chosen };
}
