import type { ViewOutput } from '@slack/bolt';
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import {
  type ChannelSettings,
  previews,
  type SettingsChange,
  saveSettings,
  type WorkspaceSettings,
  type WorkspaceSettingsStore,
  workObjects,
} from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { checkProject } from '../../requests/check-project.ts';
import { DesignApiError } from '../../service/errors.ts';
import {
  type EffectiveKeys,
  NotConnectedError,
  type ServiceAccess,
} from '../../service/service-access.ts';
import type { Transact } from '../../store/stores.ts';
import type { Homes } from '../home/homes.ts';
import { connectionBlock } from '../interaction/connection.ts';
import type { Submission } from '../interaction/interactions.ts';
import type { ModalSubmission, ModalToOpen } from '../interaction/open-modal.ts';
import { buildModal, type ViewValues } from '../interaction/views.ts';
import { textInput } from '../request-form/form-field.ts';
import { button, buttonRow, inputBlock, plainText, section } from '../text/blocks.ts';
import { typedText } from '../text/limits.ts';
import { PROJECT } from '../words/connect.ts';
import { SAVE, SAVING } from '../words/modal.ts';
import {
  type Choices,
  MUTED,
  PRESET,
  PREVIEWS,
  PREVIEWS_HERE,
  RECENT_CHANGES,
  SETTINGS,
  SHARING,
  WORK_OBJECTS,
} from '../words/settings.ts';
import { PRESET_ACTIONS } from './preset.ts';
import { RECENT_CHANGES_ACTION } from './recent-changes.ts';

export const SETTINGS_VIEW = 'settings';

/** What the modal shows: the settings of the workspace, and of the channel where it was opened. */
type ShownSettings = {
  settings: WorkspaceSettings;
  channel?: { id: string; settings: ChannelSettings } | undefined;
};

export type SettingsModal = ReturnType<typeof createSettingsModal>;

export function createSettingsModal(deps: {
  settings: WorkspaceSettingsStore;
  keys: Pick<EffectiveKeys, 'describe'>;
  service: ServiceAccess;
  homes: Homes;
  transact: Transact;
  now: () => Date;
  log: Log;
}) {
  const { settings, keys, service, homes, log } = deps;

  /**
   * A different project is tested first, and with a new key, so is the same one.
   *
   * @returns the project with what to say about it, or why it can't be used, in which case nothing is saved
   */
  async function save(change: SettingsChange, { isNewKey = false } = {}): Promise<TestedProject> {
    const { workspaceId, changed } = change;
    const before = await settings.get(workspaceId);
    const { projectId } = { ...before, ...changed };
    const isTested = isNewKey || projectId !== before.projectId;
    const tested = isTested ? await testProject(service, workspaceId, projectId) : { projectId };
    // The same project isn't saved, since someone may have changed it during the test.
    const isSame = isNewKey && tested.projectId === before.projectId;
    if (tested.problem !== undefined || isSame) return tested;
    const saved = isTested ? { ...changed, projectId: tested.projectId } : changed;
    await saveSettings(deps, { ...change, changed: saved });
    return tested;
  }

  /** @param first what was shown first, if this is shown again */
  async function buildView(
    workspaceId: WorkspaceId,
    shown: ShownSettings,
    { first = shown, projectProblem }: { first?: ShownSettings; projectProblem?: string } = {},
  ): Promise<ModalView> {
    const { shareExternally, guestsAllowed, muted, ...others } = shown.settings;
    const here = shown.channel?.settings;
    const mutedHere = here ? { here: here.muted } : {};
    return buildModal({
      title: SETTINGS.title,
      submit: SAVE,
      callbackId: SETTINGS_VIEW,
      metadata: JSON.stringify(first),
      blocks: [
        connectionBlock(await keys.describe(workspaceId)),
        menu('unfurls', SETTINGS.unfurls, PREVIEWS, others.unfurls),
        ...(here
          ? [menu('unfurls-here', SETTINGS.unfurlsHere, PREVIEWS_HERE, here.unfurls ?? ELSEWHERE)]
          : []),
        checkboxes('sharing', SETTINGS.sharing, SHARING, { shareExternally, guestsAllowed }),
        checkboxes('muted', SETTINGS.changes, MUTED, { everywhere: muted, ...mutedHere }),
        {
          ...menu('workObjects', SETTINGS.workObjects, WORK_OBJECTS, others.workObjects),
          hint: plainText(SETTINGS.workObjectsHint),
        },
        ...projectBlocks(others.projectId, projectProblem),
        ...buttonRow([
          button(PRESET_ACTIONS.ofWorkspace, PRESET.ofWorkspace),
          ...(shown.channel
            ? [button(PRESET_ACTIONS.ofChannel, PRESET.ofChannel, { value: shown.channel.id })]
            : []),
        ]),
        ...buttonRow([button(RECENT_CHANGES_ACTION, RECENT_CHANGES.title)]),
      ],
    });
  }

  return {
    save,

    open: (channelId: string | undefined): ModalToOpen => ({
      title: SETTINGS.title,
      async fill({ workspaceId }, modal) {
        const ofWorkspace = await settings.get(workspaceId);
        const channel = channelId
          ? { id: channelId, settings: await settings.ofChannels.get(workspaceId, channelId) }
          : undefined;
        await modal.draw(await buildView(workspaceId, { settings: ofWorkspace, channel }));
      },
    }),

    onSubmitted({ view }: Submission): ModalSubmission {
      const { first, chosen } = readSettings(view);
      return {
        title: SETTINGS.title,
        busy: SAVING,
        async apply({ workspaceId, person }) {
          const channel = chosen.channel && {
            id: chosen.channel.id,
            changed: changesIn(first.channel?.settings ?? {}, chosen.channel.settings),
          };
          const changed = changesIn(first.settings, chosen.settings);
          const saved = await save({ workspaceId, by: person, changed, channel });
          const { problem: projectProblem, note } = saved;
          if (projectProblem !== undefined) {
            return buildView(workspaceId, chosen, { first, projectProblem });
          }
          log.info({ workspace: workspaceId, by: person.id }, 'the settings were changed');
          homes.workspaceChanged(workspaceId);
          return [SETTINGS.saved, note].filter(Boolean).join('\n');
        },
      };
    },
  };
}

/** Only what the person changed: someone else, or Connect on top of this modal, may have changed the rest meanwhile. */
export function changesIn<T extends object>(shown: T, chosen: T): Partial<T> {
  const keys = Object.keys(chosen) as (keyof T)[];
  const changed = keys.filter((key) => chosen[key] !== shown[key]);
  return Object.assign({}, ...changed.map((key) => ({ [key]: chosen[key] })));
}

/** A project that an admin typed: why it can't be saved, or what to save and say. */
type TestedProject = { projectId: string | undefined; problem?: string; note?: string };

async function testProject(
  service: ServiceAccess,
  workspaceId: WorkspaceId,
  projectId: string | undefined,
): Promise<TestedProject> {
  if (projectId === undefined) return { projectId };
  try {
    const check = await service.call(workspaceId, (api) => checkProject(api, projectId));
    if (check.usable) return { projectId, ...(check.isEmpty ? { note: PROJECT.empty } : {}) };
    if (check.why === 'not_listed') return { projectId: undefined, note: PROJECT.notListed };
    return { projectId, problem: PROJECT[check.why] };
  } catch (error) {
    // It is tested when a key is connected.
    const isWithoutKey = error instanceof NotConnectedError || error instanceof DesignApiError;
    if (isWithoutKey) return { projectId, note: PROJECT.notChecked };
    throw error;
  }
}

const PROJECT_FIELD = 'project';

/** Longer than any likely ID, in characters. */
const PROJECT_ID_MAX = 200;

export function projectBlocks(projectId: string | undefined, problem?: string): KnownBlock[] {
  const input = textInput(PROJECT_FIELD, projectId, { maxLength: PROJECT_ID_MAX });
  return [
    ...(problem ? [section(`:warning: ${problem}`)] : []),
    inputBlock(PROJECT_FIELD, PROJECT, input, { optional: true }),
  ];
}

export const readProjectId = (values: ViewValues): string | undefined =>
  typedText(values[PROJECT_FIELD]?.[PROJECT_FIELD]?.value ?? '').trim() || undefined;

const ELSEWHERE = 'as-elsewhere';

const optionsOf = (choices: Choices) =>
  Object.entries(choices).map(([value, [text, meaning]]) => ({
    value,
    text: plainText(text),
    ...(meaning ? { description: plainText(meaning) } : {}),
  }));

function menu(name: string, label: string, choices: Choices, chosen: string): InputBlock {
  const options = optionsOf(choices);
  const initial = options.find(({ value }) => value === chosen);
  const selected = initial ? { initial_option: initial } : {};
  const element = { type: 'static_select' as const, action_id: name, options, ...selected };
  return inputBlock(name, { label }, element);
}

/** @param ticked whether each box that is shown is ticked */
function checkboxes(
  name: string,
  label: string,
  choices: Choices,
  ticked: Readonly<Record<string, boolean | undefined>>,
): InputBlock {
  const options = optionsOf(choices).filter(({ value }) => value in ticked);
  const initial = options.filter(({ value }) => ticked[value]);
  const selected = initial.length > 0 ? { initial_options: initial } : {};
  const element = { type: 'checkboxes' as const, action_id: name, options, ...selected };
  return inputBlock(name, { label }, element, { optional: true });
}

/** Reads what a submitted modal showed first, and what was chosen. Anything unexpected falls back to showing less. */
function readSettings({ private_metadata, state }: Pick<ViewOutput, 'private_metadata' | 'state'>) {
  const inputIn = (name: string) => state.values[name]?.[name];
  const chosenIn = (name: string) => inputIn(name)?.selected_option?.value;
  const isTicked = (name: string, box: string) =>
    (inputIn(name)?.selected_options ?? []).some(({ value }) => value === box);
  const first: ShownSettings = JSON.parse(private_metadata);
  const chosen: ShownSettings = {
    settings: {
      unfurls: previews.catch('off').parse(chosenIn('unfurls')),
      shareExternally: isTicked('sharing', 'shareExternally'),
      guestsAllowed: isTicked('sharing', 'guestsAllowed'),
      muted: isTicked('muted', 'everywhere') || undefined,
      projectId: readProjectId(state.values),
      workObjects: workObjects.catch('off').parse(chosenIn('workObjects')),
    },
    channel: first.channel && {
      id: first.channel.id,
      settings: {
        unfurls: previews.optional().catch(undefined).parse(chosenIn('unfurls-here')),
        muted: isTicked('muted', 'here') || undefined,
      },
    },
  };
  return { first, chosen };
}
