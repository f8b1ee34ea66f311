import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import {
  createFormDefaults,
  type FormChoices,
  type FormDefaults,
  SCOPES,
  WORKSPACE,
} from '../../requests/form-defaults.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import { changesBetween } from '../../store/audit-entries.ts';
import type { Transact } from '../../store/stores.ts';
import type { ListsForForms } from '../request-form/draft.ts';
import type { AccessControl } from '../surface/access.ts';
import type { ModalSubmission, ModalToOpen } from '../surface/open-modal.ts';
import { type ActionArgs, pressedValue, type ViewArgs, workspaceOf } from '../surface/replies.ts';
import { updateView } from '../surface/views.ts';
import { PRESET } from '../words/settings.ts';
import {
  buildPresetView,
  changesIn,
  draftOf,
  PRESET_ACTIONS,
  presetProblems,
  readPreset,
} from './preset-view.ts';

export const createPresets = (deps: {
  lists: ListsForForms;
  formDefaults: FormDefaults;
  access: AccessControl;
  transact: Transact;
  now: () => Date;
  log: Log;
}) => ({
  /** Opens the preset of a channel or of the workspace on top of the settings. */
  modal({ action }: ActionArgs): ModalToOpen {
    const value = pressedValue(action);
    const owner = action.action_id === PRESET_ACTIONS.ofChannel ? (value ?? WORKSPACE) : WORKSPACE;
    return {
      title: PRESET.title,
      async fill(user, modal) {
        const { workspaceId } = user;
        await modal.load();
        const options = await deps.lists
          .connected(workspaceId)
          .catch((error) => deps.access.explainServiceError(user, error));
        if (typeof options === 'string') {
          await modal.draw(options);
          return;
        }
        const lists = { options, partnerName: deps.lists.partnerName };
        const preset = await storedPreset(deps.formDefaults, workspaceId, owner);
        const draft = draftOf(preset, lists);
        await modal.draw(buildPresetView({ ...lists, owner, draft, brief: preset.brief }));
      },
    };
  },

  /** Redraws a preset for another request type, whose menus differ. */
  async onChanged({ body: { view }, client, context }: ActionArgs): Promise<void> {
    if (!view) return;
    const lists = await deps.lists.cached(workspaceOf(context));
    // Without them, what was chosen would vanish.
    if (lists.options.requestTypes.length === 0) return;
    const drawn = buildPresetView({ ...lists, ...readPreset(view, lists) });
    await updateView(client, view, drawn);
  },

  /** Saves a preset, or removes it if everything is empty. */
  async onSubmitted({ view, context }: ViewArgs): Promise<ModalSubmission> {
    const lists = await deps.lists.cached(workspaceOf(context));
    const { owner } = readPreset(view, lists);
    const problems = presetProblems(view, lists);
    if (Object.keys(problems).length > 0) return { problems };
    return {
      title: PRESET.title,
      busy: PRESET.saving,
      async apply({ workspaceId, person }) {
        const isLeft = await deps.transact(async ({ administer }) => {
          const { entries, record } = await administer(workspaceId, person);
          const formDefaults = createFormDefaults(entries);
          const before = await storedPreset(formDefaults, workspaceId, owner);
          // Another admin may have changed the rest since it was shown.
          const after = { ...before, ...changesIn(view, lists) };
          const changes = changesBetween(named(before, lists.options), named(after, lists.options));
          const isEmpty = Object.values(after).every((choice) => choice === undefined);
          const choices = isEmpty ? undefined : after;
          await formDefaults.savePreset(workspaceId, owner, choices, deps.now());
          if (changes.length > 0) {
            const entry = { what: 'preset_changed' as const, about: owner || undefined, changes };
            await record(entry, deps.now());
          }
          return !isEmpty;
        });
        deps.log.info(
          { workspace: workspaceId, channel: owner || undefined, by: person.id },
          'a preset was changed',
        );
        return isLeft ? PRESET.saved : PRESET.removed;
      },
    };
  },
});

async function storedPreset(
  formDefaults: Pick<FormDefaults, 'of'>,
  workspaceId: WorkspaceId,
  owner: string,
): Promise<FormChoices> {
  const stored = await formDefaults.of(workspaceId, [owner]);
  return stored.find(({ scope }) => scope === SCOPES.preset)?.choices ?? {};
}

/** A preset with names instead of IDs, since the audit trail outlives what the service offers. */
function named(
  { requestType, brand, formats, ...others }: FormChoices,
  { requestTypes, brands = [] }: FormOptions,
): Record<string, string | undefined> {
  const nameOf = (choices: typeof brands, id: string | undefined) =>
    choices.find((choice) => choice.id === id)?.name ?? id;
  return {
    ...others,
    requestType: nameOf(requestTypes, requestType),
    brand: nameOf(brands, brand),
    formats: formats?.join(', '),
  };
}
