import { type Check, eitherOr, list, type Rule, refuse, shape, typed } from './check.ts';
import {
  confirm,
  initialIsOffered,
  menuOption,
  optionGroup,
  options,
  placeholder,
} from './composition.ts';
import { focusOnLoad } from './focus.ts';
import { SELECT_OPTION_GROUPS, SELECT_OPTIONS } from './limits.ts';
import { channelId, conversationId, flag, id, integer, oneOf, userId } from './scalar.ts';

/** The longest sensible query before the first request for options, in characters. */
const MAX_QUERY_CHARS = 100;

const MENU = { action_id: id, placeholder, confirm, focus_on_load: focusOnLoad };
const SEVERAL = { ...MENU, max_selected_items: integer(1, Number.MAX_SAFE_INTEGER) };

const STATIC = {
  options: options(SELECT_OPTIONS, menuOption),
  option_groups: list(1, SELECT_OPTION_GROUPS, optionGroup),
};
const oneSource = eitherOr('options', 'option_groups');
const minQueryLength = integer(0, MAX_QUERY_CHARS);

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

/** `response_url_enabled` works only for menus in input blocks of modals. */
const responseUrlEnabled: Check = (value, at, inspection) => {
  flag(value, at, inspection);
  const isInputOfModal = inspection.surface === 'modal' && at.includes('/element/');
  if (!isInputOfModal) {
    refuse(inspection, 'invalid additional property: response_url_enabled', parentOf(at));
  }
};

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** No more initial values than the person may choose. */
function withinMaximum(initial: string): Rule {
  return (element, at, inspection) => {
    const chosen = element[initial];
    const most = element.max_selected_items;
    if (!Array.isArray(chosen) || typeof most !== 'number' || chosen.length <= most) return;
    refuse(inspection, `no more than ${most} items allowed`, `${at}/${initial}`);
  };
}

function several(item: Check): Check {
  return list(1, SELECT_OPTIONS, item);
}

/** Select and multi-select menus, by element type. */
export const MENUS: Record<string, Check> = {
  static_select: typed(
    { optional: { ...MENU, ...STATIC, initial_option: menuOption } },
    oneSource,
    initialIsOffered,
  ),
  multi_static_select: typed(
    { optional: { ...SEVERAL, ...STATIC, initial_options: several(menuOption) } },
    oneSource,
    initialIsOffered,
    withinMaximum('initial_options'),
  ),
  external_select: typed({
    optional: { ...MENU, initial_option: menuOption, min_query_length: minQueryLength },
  }),
  multi_external_select: typed(
    {
      optional: {
        ...SEVERAL,
        initial_options: several(menuOption),
        min_query_length: minQueryLength,
      },
    },
    withinMaximum('initial_options'),
  ),
  users_select: typed({ optional: { ...MENU, initial_user: userId } }),
  multi_users_select: typed(
    { optional: { ...SEVERAL, initial_users: several(userId) } },
    withinMaximum('initial_users'),
  ),
  channels_select: typed({
    optional: { ...MENU, initial_channel: channelId, response_url_enabled: responseUrlEnabled },
  }),
  multi_channels_select: typed(
    { optional: { ...SEVERAL, initial_channels: several(channelId) } },
    withinMaximum('initial_channels'),
  ),
  conversations_select: typed({
    optional: {
      ...MENU,
      initial_conversation: conversationId,
      default_to_current_conversation: flag,
      response_url_enabled: responseUrlEnabled,
      filter,
    },
  }),
  multi_conversations_select: typed(
    {
      optional: {
        ...SEVERAL,
        initial_conversations: several(conversationId),
        default_to_current_conversation: flag,
        filter,
      },
    },
    withinMaximum('initial_conversations'),
  ),
};
