import { createHash } from 'node:crypto';
import type { ViewOutput } from '@slack/bolt';
import type { Button, InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { type FormChoices, WORKSPACE } from '../../requests/form-defaults.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import {
  choiceMenu,
  readChoice,
  readText,
  readTypedList,
  textInput,
} from '../request-form/elements.ts';
import { type FormMetadata, formMetadata } from '../request-form/metadata.ts';
import { section } from '../text/blocks.ts';
import { PLAIN_TEXT_INPUT_MAX } from '../text/limits.ts';
import { CANCEL } from '../words/modal.ts';
import { PRESET } from '../words/preset.ts';
import { FIELDS } from '../words/request-form.ts';

export const PRESET_VIEW = 'preset';
/** The action ID of a button that opens a preset; its value is the channel's ID, or `workspace`. */
export const PRESET_ACTIONS = {
  ofWorkspace: 'preset-workspace',
  ofChannel: 'preset-channel',
} as const;

/** Longest brief, in characters; people see all of it above what they type. */
const BRIEF_MAX = 1_500;

/** The buttons that open the presets of the workspace and of a channel. */
export function presetButtons(channelId: string | undefined): KnownBlock {
  const button = (action_id: string, text: string, value: string): Button => ({
    type: 'button',
    action_id,
    text: { type: 'plain_text', text },
    value,
  });
  const ofChannel = channelId
    ? [button(PRESET_ACTIONS.ofChannel, PRESET.ofChannel, channelId)]
    : [];
  return {
    type: 'actions',
    elements: [
      button(PRESET_ACTIONS.ofWorkspace, PRESET.ofWorkspace, PRESET_ACTIONS.ofWorkspace),
      ...ofChannel,
    ],
  };
}

/** @param props.owner a channel's ID, or WORKSPACE */
export function buildPresetView(props: {
  owner: string;
  preset: FormChoices;
  options: FormOptions;
}): ModalView {
  const { owner, preset, options } = props;
  const { requestTypes, brands = [] } = options;
  const named = (choices: typeof brands, id: string | undefined) =>
    choices.find((choice) => choice.id === id);
  const intro = owner === WORKSPACE ? PRESET.introWorkspace : PRESET.introChannel(`<#${owner}>`);
  const multiline = { maxLength: PLAIN_TEXT_INPUT_MAX, multiline: true };
  return {
    type: 'modal',
    callback_id: PRESET_VIEW,
    private_metadata: writePresetMetadata(owner, preset),
    title: { type: 'plain_text', text: PRESET.title },
    submit: { type: 'plain_text', text: PRESET.save },
    close: { type: 'plain_text', text: CANCEL },
    blocks: [
      section(`${intro} ${PRESET.explanation}`),
      field('requestType', FIELDS.requestType, {
        element: choiceMenu('requestType', requestTypes, named(requestTypes, preset.requestType)),
      }),
      ...(brands.length > 0
        ? [
            field('brand', FIELDS.brand, {
              element: choiceMenu('brand', brands, named(brands, preset.brand)),
            }),
          ]
        : []),
      field('dimensions', FIELDS.dimensions, {
        element: textInput('dimensions', preset.dimensions, multiline),
      }),
      field('formats', FIELDS.formats, {
        element: textInput('formats', preset.formats?.join(', '), {
          maxLength: PLAIN_TEXT_INPUT_MAX,
          placeholder: FIELDS.formats.placeholder,
        }),
      }),
      field(
        'brief',
        { label: PRESET.brief, hint: PRESET.briefHint },
        { element: textInput('brief', preset.brief, { maxLength: BRIEF_MAX, multiline: true }) },
      ),
      section(PRESET.leaveEmpty),
    ],
  };
}

/** The menus are those of the request form, which read its metadata. */
function writePresetMetadata(owner: string, shown: FormChoices): string {
  const metadata: FormMetadata = { formId: PRESET_VIEW, channelId: owner || undefined };
  return JSON.stringify({ ...metadata, shown: digestsOf(shown) });
}

const presetMetadata = formMetadata.pick({ channelId: true }).extend({
  /** Digests of what the form showed. A form that an earlier version opened has none. */
  shown: z.record(z.string(), z.string()).optional(),
});

const DIGEST_HEX_DIGITS = 12;

/** A digest of each choice: the choices themselves may be longer than a view's metadata. */
const digestsOf = (choices: FormChoices): Record<string, string> =>
  Object.fromEntries(
    Object.entries(choices)
      .filter(([, choice]) => choice !== undefined)
      .map(([name, choice]) => [name, digestOf(choice)]),
  );

const digestOf = (choice: unknown): string =>
  createHash('sha256').update(JSON.stringify(choice)).digest('hex').slice(0, DIGEST_HEX_DIGITS);

/** Of a submitted preset: whose it is, and what the admin changed in it. */
export function readChanges(
  { private_metadata }: Pick<ViewOutput, 'private_metadata'>,
  chosen: FormChoices,
): { owner: string; changed: FormChoices } {
  const { channelId: owner = WORKSPACE, shown } = presetMetadata.parse(
    JSON.parse(private_metadata),
  );
  if (!shown) return { owner, changed: chosen };
  const digests = digestsOf(chosen);
  const changed = Object.entries(chosen).filter(([name]) => digests[name] !== shown[name]);
  return { owner, changed: Object.fromEntries(changed) };
}

/** What an admin has entered; without a brand if the view doesn't ask for one. */
export function readPreset(
  { blocks, state: { values } }: Pick<ViewOutput, 'blocks' | 'state'>,
  options: FormOptions,
): FormChoices {
  const value = (name: string) => values[name]?.[name] ?? { type: '' };
  const formats = readTypedList(value('formats').value);
  const asksForBrand = blocks.some(({ block_id }) => block_id === 'brand');
  return {
    requestType: readChoice(value('requestType'), options.requestTypes)?.id,
    ...(asksForBrand ? { brand: readChoice(value('brand'), options.brands ?? [])?.id } : {}),
    dimensions: readText(value('dimensions').value),
    formats: formats.length > 0 ? formats : undefined,
    brief: readText(value('brief').value),
  };
}

/** What is wrong with a preset, by block ID. A preset that its type doesn't offer would never apply. */
export function presetProblems(
  { requestType, formats = [] }: FormChoices,
  { requestTypes }: FormOptions,
): Record<string, string> {
  const offered = requestTypes.find(({ id }) => id === requestType)?.formats ?? [];
  const fits = offered.length === 0 || formats.every((name) => offered.includes(name));
  return fits ? {} : { formats: PRESET.otherFormats(offered.slice(0, SHOWN_FORMATS).join(', ')) };
}

const SHOWN_FORMATS = 20;

const field = (
  name: string,
  { label, hint }: { label: string; hint?: string },
  drawn: Pick<InputBlock, 'element'>,
): InputBlock => ({
  type: 'input',
  block_id: name,
  optional: true,
  label: { type: 'plain_text', text: label },
  ...(hint ? { hint: { type: 'plain_text', text: hint } } : {}),
  ...drawn,
});
