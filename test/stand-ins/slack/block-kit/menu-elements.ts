import { type Check, list, type Rule, refuse, shape, typed } from './check.ts';
import { confirm, initialIsOffered, menuOption, options, placeholder } from './composition.ts';
import { focusOnLoad } from './focus.ts';
import { SELECT_OPTIONS } from './limits.ts';
import { conversationId, flag, id, integer, oneOf } from './scalar.ts';

/** The longest sensible query before the first request for options, in characters. */
const MAX_QUERY_CHARS = 100;

const MENU = { action_id: id, placeholder, confirm, focus_on_load: focusOnLoad };
const SEVERAL = {
  ...MENU,
  max_selected_items: integer(1, Number.MAX_SAFE_INTEGER),
  initial_options: list(1, SELECT_OPTIONS, menuOption),
};
const STATIC = { options: options(SELECT_OPTIONS, menuOption) };
const EXTERNAL = { min_query_length: integer(0, MAX_QUERY_CHARS) };

const CONVERSATION_KINDS = 4;
const filter: Check = shape(
  {
    optional: {
      include: list(1, CONVERSATION_KINDS, oneOf('im', 'mpim', 'private', 'public')),
      exclude_external_shared_channels: flag,
      exclude_bot_users: flag,
    },
  },
  (object, at, inspection) => {
    // "At least one of these properties must be present", according to the conversation filter reference.
    if (Object.values(object).every((value) => value === undefined)) {
      refuse(inspection, 'must define at least one property', at);
    }
  },
);

/** No more initial values than the person may choose. */
const withinMaximum: Rule = (element, at, inspection) => {
  const { initial_options: chosen, max_selected_items: most } = element;
  if (!Array.isArray(chosen) || typeof most !== 'number' || chosen.length <= most) return;
  refuse(inspection, `no more than ${most} items allowed`, `${at}/initial_options`);
};

/** Select and multi-select menus, by element type. */
export const MENUS: Record<string, Check> = {
  static_select: typed(
    { required: STATIC, optional: { ...MENU, initial_option: menuOption } },
    initialIsOffered,
  ),
  multi_static_select: typed(
    { required: STATIC, optional: SEVERAL },
    initialIsOffered,
    withinMaximum,
  ),
  external_select: typed({ optional: { ...MENU, ...EXTERNAL, initial_option: menuOption } }),
  multi_external_select: typed({ optional: { ...SEVERAL, ...EXTERNAL } }, withinMaximum),
  conversations_select: typed({
    optional: {
      ...MENU,
      initial_conversation: conversationId,
      default_to_current_conversation: flag,
      filter,
    },
  }),
};
