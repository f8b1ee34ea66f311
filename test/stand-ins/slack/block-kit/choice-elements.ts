import { type Check, list, typed } from './check.ts';
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
  OVERFLOW_OPTIONS,
} from './limits.ts';
import { id, text, webUrl } from './scalar.ts';

export const button: Check = typed({
  required: { text: plainText(BUTTON_TEXT_CHARS) },
  optional: {
    action_id: id,
    value: text(1, BUTTON_VALUE_CHARS),
    url: webUrl,
    style: colorScheme,
    confirm,
    accessibility_label: text(1, ACCESSIBILITY_LABEL_CHARS),
  },
});

const CHOICE = { action_id: id, confirm, focus_on_load: focusOnLoad };

export const checkboxes: Check = typed(
  {
    required: { options: options(CHOICE_OPTIONS, choiceOption) },
    optional: { ...CHOICE, initial_options: list(1, CHOICE_OPTIONS, choiceOption) },
  },
  initialIsOffered,
);

export const overflow: Check = typed({
  required: { options: options(OVERFLOW_OPTIONS, overflowOption) },
  optional: { action_id: id, confirm },
});

export const datepicker: Check = typed({
  optional: { ...CHOICE, placeholder, initial_date: isDate },
});
