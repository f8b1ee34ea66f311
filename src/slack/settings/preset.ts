import { SCOPES, WORKSPACE } from '../../requests/form-defaults.ts';
import type { SlackDeps } from '../deps.ts';
import { explainServiceError } from '../listener/explain.ts';
import type { Submission } from '../listener/guard.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import { type ActionArgs, stringOf, type ViewArgs, workspaceOf } from '../listener/replies.ts';
import { readMetadata } from '../request-form/metadata.ts';
import { buildNotice } from '../views/notice-view.ts';
import { ONE_MOMENT } from '../words/modal.ts';
import { PRESET } from '../words/preset.ts';
import { buildPresetView, PRESET_ACTIONS, presetProblems, readPreset } from './preset-view.ts';

type PresetDeps = Pick<SlackDeps, 'formDefaults' | 'catalogue' | 'adminToAsk' | 'now' | 'log'>;

const notice = (text: string) => buildNotice({ title: PRESET.title, text });

/** Opens the preset of a channel or of the workspace on top of the settings. */
export function presetModal(deps: PresetDeps, { action, client }: ActionArgs): ModalRequest {
  const value = 'value' in action ? stringOf(action.value) : undefined;
  const owner = action.action_id === PRESET_ACTIONS.ofChannel ? (value ?? WORKSPACE) : WORKSPACE;
  return {
    loading: notice(ONE_MOMENT),
    notice,
    async fill({ workspaceId, person }, modal) {
      await modal.load();
      const options = await deps.catalogue
        .formOptions(workspaceId)
        .catch((error) =>
          explainServiceError(deps, { client, workspaceId, userId: person.id }, error),
        );
      if (typeof options === 'string') {
        await modal.draw(notice(options));
        return;
      }
      const stored = await deps.formDefaults.of(workspaceId, [owner]);
      const preset = stored.find(({ scope }) => scope === SCOPES.preset)?.choices ?? {};
      await modal.draw(buildPresetView({ owner, preset, options }));
    },
  };
}

/** Saves a preset, or removes it if everything is empty. */
export function onPresetSubmitted(deps: PresetDeps, { view, context }: ViewArgs): Submission {
  const { channelId: owner = WORKSPACE } = readMetadata(view.private_metadata);
  const lists = deps.catalogue.peekFormOptions(workspaceOf(context));
  const options = lists ?? { requestTypes: [], brands: undefined };
  const choices = readPreset(view.state.values, options);
  const problems = presetProblems(choices ?? {}, options);
  if (Object.keys(problems).length > 0) return { problems };
  return {
    title: PRESET.title,
    busy: PRESET.saving,
    async apply({ workspaceId, person }) {
      const preset = { choices, changedBy: person.id };
      await deps.formDefaults.savePreset(workspaceId, owner, preset, deps.now());
      deps.log.info(
        { workspace: workspaceId, channel: owner || undefined, by: person.id },
        'a preset was changed',
      );
      return notice(choices ? PRESET.saved : PRESET.removed);
    },
  };
}
