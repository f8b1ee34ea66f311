import type { ViewOutput } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import { type FormChoices, WORKSPACE } from '../../requests/form-defaults.ts';
import type { FormDraft } from '../../requests/request.ts';
import { chosenType, type FormContext, type FormLists } from '../request-form/draft.ts';
import { FORM_FIELDS } from '../request-form/fields.ts';
import { hasFittingValue, isEmpty, readText, textInput } from '../request-form/form-field.ts';
import { inputOf } from '../request-form/form-view.ts';
import { REQUEST_TYPE_INPUT } from '../request-form/ids.ts';
import { optionValue, shortDigest } from '../request-form/options.ts';
import {
  type FieldProblems,
  fieldsAmong,
  problemsByBlock,
  readDraft,
} from '../request-form/parse.ts';
import { buildModal } from '../surface/views.ts';
import { button, buttonRow, plainText, section } from '../text/blocks.ts';
import { PRESET } from '../words/settings.ts';

export const PRESET_VIEW = 'preset';
/** The action IDs of the buttons that open a preset; the value is the channel's ID. */
export const PRESET_ACTIONS = {
  ofWorkspace: 'preset-workspace',
  ofChannel: 'preset-channel',
} as const;

/** Longest brief, in characters; people see all of it above what they type. */
const BRIEF_MAX = 1_500;

/** The buttons that open the presets of the workspace and of a channel. */
export const presetButtons = (channelId: string | undefined): KnownBlock[] =>
  buttonRow([
    button(PRESET_ACTIONS.ofWorkspace, PRESET.ofWorkspace),
    ...(channelId
      ? [button(PRESET_ACTIONS.ofChannel, PRESET.ofChannel, { value: channelId })]
      : []),
  ]);

/** The form's fields that a preset can fill in. */
const PRESET_FIELDS = FORM_FIELDS.filter(({ name }) => name in choicesIn({}, undefined));

/** A preset as a draft. What the service no longer lists isn't shown. */
export function draftOf(
  { requestType, brand, ...others }: FormChoices,
  lists: FormLists,
): FormDraft {
  const { requestTypes, brands = [] } = lists.options;
  return {
    ...others,
    requestType: requestTypes.find(({ id }) => id === requestType),
    brand: brands.find(({ id }) => id === brand),
  };
}

/**
 * @param props.owner a channel's ID, or WORKSPACE
 * @param props.shown the digests of what the admin saw first
 */
export function buildPresetView(
  props: FormContext & { owner: string; brief: string | undefined; shown?: Digests },
): ModalView {
  const { owner, brief, draft } = props;
  const { shown = digestsOf(choicesIn(draft, brief)) } = props;
  const type = chosenType(props);
  const intro = owner === WORKSPACE ? PRESET.introWorkspace : PRESET.introChannel(`<#${owner}>`);
  return buildModal({
    title: PRESET.title,
    submit: PRESET.save,
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
      {
        type: 'input',
        block_id: 'brief',
        optional: true,
        label: plainText(PRESET.brief),
        hint: plainText(PRESET.briefHint),
        element: textInput('brief', brief, { maxLength: BRIEF_MAX, multiline: true }),
      },
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

/** What an open preset contains. */
export function readPreset({ state, private_metadata }: PresetView, lists: FormLists) {
  const { owner, shown = {} }: { owner: string; shown?: Digests } = JSON.parse(private_metadata);
  const draft = readDraft(state.values, lists);
  return { owner, shown, draft, brief: readText(state.values.brief?.brief?.value) };
}

/** What the admin changed in a submitted preset, among the fields that it shows: brands can't always be read. */
export function changesIn(view: PresetView, lists: FormLists): FormChoices {
  const { draft, brief, shown } = readPreset(view, lists);
  const chosen = choicesIn(draft, brief);
  const digests = digestsOf(chosen);
  const isShown = fieldsAmong(view.blocks);
  return Object.fromEntries(
    Object.entries(chosen).filter(([name]) => isShown.has(name) && digests[name] !== shown[name]),
  );
}

function choicesIn(draft: FormDraft, brief: string | undefined): FormChoices {
  const { requestType, brand, product, dimensions, software, formats = [], shareIn } = draft;
  return {
    requestType: requestType?.id,
    brand: brand?.id,
    ...{ product, dimensions, software, shareIn, brief },
    formats: formats.length > 0 ? formats : undefined,
  };
}

/** What is wrong with a submitted preset, by block ID. A value that the type doesn't offer would never apply. */
export function presetProblems(view: PresetView, lists: FormLists): Record<string, string> {
  const context = { ...lists, draft: readPreset(view, lists).draft };
  const problems: FieldProblems = {};
  for (const field of PRESET_FIELDS) {
    if (isEmpty(context.draft[field.name]) || hasFittingValue(field, context)) continue;
    const offered = field.offeredByType?.(context) ?? [];
    problems[field.name] = PRESET.notOffered(offered.slice(0, SHOWN_NAMES).join(', '));
  }
  return problemsByBlock(problems, view.state.values);
}

const SHOWN_NAMES = 20;
