import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  choiceOption,
  colorScheme,
  confirm,
  date,
  flag,
  id,
  kind,
  menuOption,
  oneOf,
  options,
  overflowOption,
  plainText,
  text,
  webUrl,
} from './parts.ts';
import { richText } from './rich-text.ts';

// Source: docs.slack.dev/reference/block-kit/block-elements, and @slack/types.

/** An image in text: as the accessory of a section, or in a context. */
export const image = kind('image', { alt_text: text(2000), image_url: webUrl });

const button = kind(
  'button',
  { text: plainText(75) },
  {
    action_id: id,
    value: text(2000),
    url: webUrl,
    style: colorScheme,
    confirm,
    accessibility_label: text(75),
  },
);

const overflow = kind('overflow', { options: options(5, overflowOption) }, { action_id: id });

const CHOICE = { action_id: id, focus_on_load: flag };
const MENU = { ...CHOICE, placeholder: plainText(150) };
const SEVERAL = {
  ...MENU,
  max_selected_items: z.int().min(1),
  initial_options: z.array(menuOption).min(1).max(100),
};
const STATIC = { options: options(100, menuOption) };
const EXTERNAL = { min_query_length: z.int().min(0).max(100) };

type Option = z.output<typeof menuOption>;
type Menu = {
  options: Option[];
  initial_option?: Option;
  initial_options?: Option[];
  max_selected_items?: number;
};

/** What is chosen at first repeats options exactly, according to the reference. */
function isOffered(menu: z.output<z.ZodObject>): boolean {
  const { options: offered, initial_option: one, initial_options: several = [] } = menu as Menu;
  const chosen = one === undefined ? several : [one];
  const byValue = new Map(offered.map((option) => [option.value, option]));
  return chosen.every((option) => isDeepStrictEqual(option, byValue.get(option.value)));
}

function isWithinMost(menu: z.output<z.ZodObject>): boolean {
  const { initial_options: chosen = [], max_selected_items: most = chosen.length } = menu as Menu;
  return chosen.length <= most;
}

const filter = z
  .strictObject({
    include: z.array(z.enum(['im', 'mpim', 'private', 'public'])).min(1),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  })
  .partial()
  .refine((one) => Object.values(one).some((value) => value !== undefined), 'must not be empty');

const NOT_OFFERED = 'must exactly match one of the options';
const TOO_MANY = 'must not choose more than max_selected_items';
const CHOSEN = [
  kind(
    'checkboxes',
    { options: options(10, choiceOption) },
    { ...CHOICE, initial_options: z.array(choiceOption).min(1).max(10) },
  ).refine(isOffered, NOT_OFFERED),
  kind('datepicker', {}, { ...MENU, initial_date: date }),
  kind('static_select', STATIC, { ...MENU, initial_option: menuOption }).refine(
    isOffered,
    NOT_OFFERED,
  ),
  kind('multi_static_select', STATIC, SEVERAL)
    .refine(isOffered, NOT_OFFERED)
    .refine(isWithinMost, TOO_MANY),
  kind('external_select', {}, { ...MENU, ...EXTERNAL, initial_option: menuOption }),
  kind('multi_external_select', {}, { ...SEVERAL, ...EXTERNAL }).refine(isWithinMost, TOO_MANY),
  kind(
    'conversations_select',
    {},
    {
      ...MENU,
      initial_conversation: id.regex(/^[CDG][A-Z0-9]+$/),
      default_to_current_conversation: flag,
      filter,
    },
  ),
];

const INPUT = { action_id: id, placeholder: plainText(150), focus_on_load: flag };
const textInput = kind(
  'plain_text_input',
  {},
  {
    ...INPUT,
    initial_value: text(3000, 0),
    multiline: flag,
    max_length: z.int().min(1).max(3000),
  },
).refine(
  ({ initial_value: initial, max_length: most }) =>
    initial === undefined || most === undefined || String(initial).length <= Number(most),
  'must not be longer than max_length',
);
const ONLY_IN_MODALS = [
  kind('rich_text_input', {}, { ...INPUT, initial_value: richText }),
  kind('file_input', {}, { action_id: id, max_files: z.int().min(1).max(10) }),
];

// Places from the unions of @slack/types. The types put rich_text_input in actions too; the documentation does not,
// so it is refused there.
export const accessory = oneOf(image, button, overflow, ...CHOSEN);
export const action = oneOf(button, overflow, ...CHOSEN);
export const inputIn = (surface: string) =>
  oneOf(textInput, ...CHOSEN, ...(surface === 'modal' ? ONLY_IN_MODALS : []));
