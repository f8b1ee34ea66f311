import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Log } from '../../ops/logging.ts';
import {
  createFormDefaults,
  type FormChoices,
  type FormDefaults,
  WORKSPACE,
} from '../../requests/form-defaults.ts';
import type { FormDraft } from '../../requests/request.ts';
import type { FormOptions, ReferenceLists } from '../../service/cache/reference-lists.ts';
import { changesBetween } from '../../store/audit-entries.ts';
import type { Transact } from '../../store/stores.ts';
import type { AccessControl } from '../interaction/access.ts';
import type { Press, Submission } from '../interaction/interactions.ts';
import type { ModalSubmission, ModalToOpen } from '../interaction/open-modal.ts';
import { buildModal, updateView } from '../interaction/views.ts';
import { FORM_FIELDS } from '../request-form/fields.ts';
import {
  chosenType,
  type FormContext,
  type FormLists,
  hasFittingValue,
  isEmpty,
  readText,
  textInput,
} from '../request-form/form-field.ts';
import { inputOf } from '../request-form/form-view.ts';
import { REQUEST_TYPE_INPUT } from '../request-form/ids.ts';
import { optionValue, shortDigest } from '../request-form/options.ts';
import {
  type FieldProblems,
  fieldsAmong,
  problemsByBlock,
  readDraft,
} from '../request-form/parse.ts';
import { inputBlock, plainText, section } from '../text/blocks.ts';
import { SAVE, SAVING } from '../words/modal.ts';
import { PRESET } from '../words/settings.ts';

export const PRESET_VIEW = 'preset';
/** The action IDs of the buttons that open a preset; the value is the channel's ID. */
export const PRESET_ACTIONS = {
  ofWorkspace: 'preset-workspace',
  ofChannel: 'preset-channel',
} as const;

export const createPresets = (deps: {
  referenceLists: ReferenceLists;
  formDefaults: Pick<FormDefaults, 'preset'>;
  access: AccessControl;
  transact: Transact;
  now: () => Date;
  log: Log;
}) => ({
  modal({ actionId, value = WORKSPACE }: Press): ModalToOpen {
    const owner = actionId === PRESET_ACTIONS.ofChannel ? value : WORKSPACE;
    return {
      title: PRESET.title,
      async fill(user, modal) {
        const { workspaceId } = user;
        await modal.load();
        const options = await deps.referenceLists
          .connectedFormOptions(workspaceId)
          .catch((error) => deps.access.explainServiceError(user, error));
        if (typeof options === 'string') return void (await modal.draw(options));
        const stored = await deps.formDefaults.preset(workspaceId, owner);
        const { requestType, brand, ...preset } = stored;
        // What the service no longer lists isn't shown.
        const draft: FormDraft = {
          ...preset,
          requestType: options.requestTypes.find(({ id }) => id === requestType),
          brand: options.brands?.find(({ id }) => id === brand),
        };
        await modal.draw(buildPresetView({ options, owner, draft, brief: preset.brief }));
      },
    };
  },

  /** Redraws a preset for another request type, whose menus differ. */
  async onChanged({ view, client, workspaceId }: Press): Promise<void> {
    if (!view) return;
    const options = await deps.referenceLists.knownFormOptions(workspaceId);
    // Without them, what was chosen would vanish.
    if (options.requestTypes.length === 0) return;
    const drawn = buildPresetView({ options, ...readPreset(view, { options }) });
    await updateView(client, view, drawn);
  },

  /** Saves a preset, or removes it if everything is empty. */
  async onSubmitted(submission: Submission): Promise<ModalSubmission> {
    const { view } = submission;
    const options = await deps.referenceLists.knownFormOptions(submission.workspaceId);
    const { owner, changed, problems } = readSubmitted(view, { options });
    if (Object.keys(problems).length > 0) return { problems };
    return {
      title: PRESET.title,
      busy: SAVING,
      async apply({ workspaceId, person }) {
        const channel = owner || undefined;
        const isSet = await deps.transact(async ({ administer }) => {
          const { entries, record } = await administer(workspaceId, person);
          const formDefaults = createFormDefaults(entries);
          const before = await formDefaults.preset(workspaceId, owner);
          // Another admin may have changed the rest since it was shown.
          const after = { ...before, ...changed };
          const changes = changesBetween(named(before, options), named(after, options));
          const isCleared = Object.values(after).every((choice) => choice === undefined);
          const choices = isCleared ? undefined : after;
          await formDefaults.savePreset(workspaceId, owner, choices, deps.now());
          if (changes.length > 0)
            await record({ what: 'preset_changed', about: channel, changes }, deps.now());
          return !isCleared;
        });
        deps.log.info({ workspace: workspaceId, channel, by: person.id }, 'a preset was changed');
        return isSet ? PRESET.saved : PRESET.removed;
      },
    };
  },
});

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

/** Longest brief, in characters; people see all of it above what they type. */
const BRIEF_MAX = 1_500;

const PRESET_FIELDS = FORM_FIELDS.filter(({ name }) => name in choicesIn({}, undefined));

/** `owner` is a channel's ID or WORKSPACE; `shown` has the digests of what the admin saw first. */
function buildPresetView(
  props: FormContext & { owner: string; brief: string | undefined; shown?: Digests },
): ModalView {
  const { owner, brief, draft } = props;
  const { shown = digestsOf(choicesIn(draft, brief)) } = props;
  const type = chosenType(props);
  const intro = owner === WORKSPACE ? PRESET.introWorkspace : PRESET.introChannel(`<#${owner}>`);
  const briefInput = textInput('brief', brief, { maxLength: BRIEF_MAX, multiline: true });
  return buildModal({
    title: PRESET.title,
    submit: SAVE,
    callbackId: PRESET_VIEW,
    metadata: JSON.stringify({ owner, shown, type: type && optionValue(type.id) }),
    blocks: [
      section(`${intro} ${PRESET.explanation}`),
      ...PRESET_FIELDS.flatMap((field) => {
        const drawn = field.draw(props);
        if (!drawn) return [];
        const ownHint = field.name === 'shareIn' ? { hint: plainText(PRESET.postInHint) } : {};
        const dispatch_action = field.name === REQUEST_TYPE_INPUT;
        return { ...inputOf(field, props, drawn), optional: true, dispatch_action, ...ownHint };
      }),
      inputBlock('brief', PRESET.brief, briefInput, { optional: true }),
      section(PRESET.leaveEmpty),
    ],
  });
}

type Digests = Record<string, string>;

/** A digest of each choice: the choices themselves may be longer than a view's metadata. */
const digestsOf = (choices: FormChoices): Digests =>
  Object.fromEntries(
    Object.entries(choices).map(([name, choice]) => [name, shortDigest(choice ?? null)]),
  );

type PresetView = Pick<ViewOutput, 'blocks' | 'state' | 'private_metadata'>;

function readPreset({ state, private_metadata }: PresetView, lists: FormLists) {
  const { owner, shown = {} }: { owner: string; shown?: Digests } = JSON.parse(private_metadata);
  const draft = readDraft(state.values, lists);
  return { owner, shown, draft, brief: readText(state.values.brief?.brief?.value) };
}

function choicesIn(draft: FormDraft, brief: string | undefined): FormChoices {
  const { requestType, brand, product, dimensions, software, formats = [], shareIn } = draft;
  return {
    requestType: requestType?.id,
    brand: brand?.id,
    product,
    dimensions,
    software,
    shareIn,
    brief,
    formats: formats.length > 0 ? formats : undefined,
  };
}

/**
 * What the admin changed in a submitted preset, among the fields that it shows: brands can't always be read. And what is
 * wrong with it, by block ID: a value that the type doesn't offer would never apply.
 */
function readSubmitted(view: PresetView, lists: FormLists) {
  const { owner, shown, draft, brief } = readPreset(view, lists);
  const chosen = choicesIn(draft, brief);
  const digests = digestsOf(chosen);
  const isShown = fieldsAmong(view.blocks);
  const changed: FormChoices = Object.fromEntries(
    Object.entries(chosen).filter(([name]) => isShown.has(name) && digests[name] !== shown[name]),
  );
  const context = { ...lists, draft };
  const problems: FieldProblems = {};
  for (const field of PRESET_FIELDS) {
    if (isEmpty(draft[field.name]) || hasFittingValue(field, context)) continue;
    const offered = field.offeredByType?.(context) ?? [];
    problems[field.name] = PRESET.notOffered(offered.slice(0, SHOWN_NAMES).join(', '));
  }
  return { owner, changed, problems: problemsByBlock(problems, view.state.values) };
}

const SHOWN_NAMES = 20;
