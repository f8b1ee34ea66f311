import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { saveSettings, type WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { checkProject } from '../../requests/check-project.ts';
import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError, type ServiceAccess } from '../../service/service-access.ts';
import type { Transact } from '../../store/stores.ts';
import { textInput } from '../request-form/form-field.ts';
import { buildModal, type ViewValues } from '../surface/views.ts';
import { plainText, section } from '../text/blocks.ts';
import { typedText } from '../text/limits.ts';
import { CONNECT, PROJECT } from '../words/connect.ts';
import { CLOSE } from '../words/modal.ts';

export const PROJECT_VIEW = 'connect-project';
const PROJECT_FIELD = 'project';

/** Longer than any likely ID, in characters. */
const PROJECT_ID_MAX = 200;

/** The field for the project, below what is wrong with it. */
export function projectBlocks(projectId: string | undefined, problem?: string): KnownBlock[] {
  const input: InputBlock = {
    type: 'input',
    block_id: PROJECT_FIELD,
    optional: true,
    label: plainText(PROJECT.label),
    hint: plainText(PROJECT.hint),
    element: textInput(PROJECT_FIELD, projectId, { maxLength: PROJECT_ID_MAX }),
  };
  return [...(problem ? [section(`:warning: ${problem}`)] : []), input];
}

/** @returns undefined if it was left empty */
export const readProjectId = (values: ViewValues): string | undefined =>
  typedText(values[PROJECT_FIELD]?.[PROJECT_FIELD]?.value ?? '').trim() || undefined;

/** Asks for the project again: the key is connected, but the project couldn't be used. */
export const buildProjectView = (props: {
  confirmation: string;
  projectId: string | undefined;
  problem: string;
}): ModalView => ({
  ...buildModal({
    callbackId: PROJECT_VIEW,
    title: CONNECT.title,
    submit: PROJECT.save,
    blocks: [section(props.confirmation), ...projectBlocks(props.projectId, props.problem)],
  }),
  // There is nothing to cancel: the key is connected.
  close: plainText(CLOSE),
});

/** Only what the person changed: someone else, or Connect on top of this modal, may have changed the rest meanwhile. */
export function changesIn<T extends object>(shown: T, chosen: T): Partial<T> {
  const keys = Object.keys(chosen) as (keyof T)[];
  const changed = keys.filter((key) => chosen[key] !== shown[key]);
  return Object.assign({}, ...changed.map((key) => ({ [key]: chosen[key] })));
}

export type SaveSettings = ReturnType<typeof createSaveSettings>;

export const createSaveSettings =
  (deps: {
    settings: WorkspaceSettingsStore;
    service: ServiceAccess;
    transact: Transact;
    now: () => Date;
  }) =>
  /**
   * A different project is tested first, and with a new key, so is the same one.
   *
   * @returns the project with what to say about it, or why it can't be used, in which case nothing is saved
   */
  async (change: Parameters<typeof saveSettings>[1], { isNewKey = false } = {}) => {
    const { workspaceId, changed } = change;
    const before = await deps.settings.get(workspaceId);
    const { projectId } = { ...before, ...changed };
    const isTested = isNewKey || projectId !== before.projectId;
    const tested = isTested
      ? await testProject(deps.service, workspaceId, projectId)
      : { projectId };
    // The same project isn't saved, since someone may have changed it during the test.
    const isSame = isNewKey && tested.projectId === before.projectId;
    if (tested.problem !== undefined || isSame) return tested;
    const saved = isTested ? { ...changed, projectId: tested.projectId } : changed;
    await saveSettings(deps, { ...change, changed: saved });
    return tested;
  };

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
