import { type Check, list, shape, typed } from './check.ts';
import {
  choiceOption,
  colorScheme,
  confirm,
  initialIsOffered,
  options,
  overflowOption,
  placeholder,
  plainText,
} from './composition.ts';
import { isDate } from './dates.ts';
import { focusOnLoad } from './focus.ts';
import {
  ACCESSIBILITY_LABEL_CHARS,
  BUTTON_TEXT_CHARS,
  BUTTON_VALUE_CHARS,
  CHOICE_OPTIONS,
  ID_CHARS,
  OVERFLOW_OPTIONS,
} from './limits.ts';
import { id, integer, text, userId, webUrl } from './scalar.ts';

const value = text(1, BUTTON_VALUE_CHARS);
const label = plainText(BUTTON_TEXT_CHARS);
const accessibilityLabel = text(1, ACCESSIBILITY_LABEL_CHARS);

export const button: Check = typed({
  required: { text: label },
  optional: {
    action_id: id,
    value,
    url: webUrl,
    style: colorScheme,
    confirm,
    accessibility_label: accessibilityLabel,
  },
});

const MAX_INPUT_PARAMETERS = 100;
const trigger = shape({
  required: { url: webUrl },
  optional: {
    customizable_input_parameters: list(
      0,
      MAX_INPUT_PARAMETERS,
      shape({ required: { name: text(1, ID_CHARS), value: text(0, BUTTON_VALUE_CHARS) } }),
    ),
  },
});

export const workflowButton: Check = typed({
  required: { text: label, workflow: shape({ required: { trigger } }) },
  optional: {
    action_id: id,
    style: colorScheme,
    confirm,
    accessibility_label: accessibilityLabel,
  },
});

const feedbackButton = shape({
  required: { text: label, value },
  optional: { accessibility_label: accessibilityLabel },
});

export const feedbackButtons: Check = typed({
  required: { positive_button: feedbackButton, negative_button: feedbackButton },
  optional: { action_id: id },
});

const MAX_VISIBLE_USERS = 100;
export const iconButton: Check = typed({
  required: { icon: text(1, ID_CHARS), text: label },
  optional: {
    action_id: id,
    value,
    confirm,
    accessibility_label: accessibilityLabel,
    visible_to_user_ids: list(1, MAX_VISIBLE_USERS, userId),
  },
});

const CHOICE = { action_id: id, confirm, focus_on_load: focusOnLoad };
const choices = options(CHOICE_OPTIONS, choiceOption);

export const checkboxes: Check = typed(
  {
    required: { options: choices },
    optional: { ...CHOICE, initial_options: list(1, CHOICE_OPTIONS, choiceOption) },
  },
  initialIsOffered,
);

export const radioButtons: Check = typed(
  { required: { options: choices }, optional: { ...CHOICE, initial_option: choiceOption } },
  initialIsOffered,
);

export const overflow: Check = typed({
  required: { options: options(OVERFLOW_OPTIONS, overflowOption) },
  optional: { action_id: id, confirm },
});

export const datepicker: Check = typed({
  optional: { ...CHOICE, placeholder, initial_date: isDate },
});

const TIME_CHARS = 5;
export const timepicker: Check = typed({
  optional: {
    ...CHOICE,
    placeholder,
    initial_time: text(TIME_CHARS, TIME_CHARS, /^([01]\d|2[0-3]):[0-5]\d$/),
    timezone: text(1, ID_CHARS),
  },
});

/** Unix seconds with ten digits, according to the reference. */
const FIRST_TEN_DIGITS = 1_000_000_000;
const LAST_TEN_DIGITS = 9_999_999_999;
export const datetimepicker: Check = typed({
  optional: { ...CHOICE, initial_date_time: integer(FIRST_TEN_DIGITS, LAST_TEN_DIGITS) },
});
