import { type Check, list, type Rule, refuse, shape, typed } from './check.ts';
import { placeholder } from './composition.ts';
import { focusOnLoad } from './focus.ts';
import {
  FILE_INPUT_FILES,
  ID_CHARS,
  PLAIN_TEXT_INPUT_CHARS,
  RICH_TEXT_INPUT_LINES,
} from './limits.ts';
import { richTextValue } from './rich-text.ts';
import { flag, id, integer, oneOf, text } from './scalar.ts';

const TRIGGERS = ['on_enter_pressed', 'on_character_entered'] as const;
const dispatchActionConfig = shape({
  optional: { trigger_actions_on: list(1, TRIGGERS.length, oneOf(...TRIGGERS)) },
});

const INPUT = {
  action_id: id,
  placeholder,
  focus_on_load: focusOnLoad,
  dispatch_action_config: dispatchActionConfig,
};
const line = text(0, PLAIN_TEXT_INPUT_CHARS);

const lengthsAgree: Rule = (element, at, inspection) => {
  const { min_length: least, max_length: most, initial_value: initial } = element;
  if (typeof most !== 'number') return;
  if (typeof least === 'number' && least > most) {
    refuse(inspection, `must be less than ${most}`, `${at}/min_length`);
  }
  if (typeof initial === 'string' && initial.length > most) {
    refuse(inspection, `must be less than ${most + 1} characters`, `${at}/initial_value`);
  }
};

const linesAgree: Rule = (element, at, inspection) => {
  const { min_lines: least, max_lines: most } = element;
  if (typeof least === 'number' && typeof most === 'number' && least > most) {
    refuse(inspection, `must be less than ${most}`, `${at}/min_lines`);
  }
};

const numeral = text(1, ID_CHARS, /^-?\d+(\.\d+)?$/);

const numbersAgree: Rule = (element, at, inspection) => {
  const least = Number(element.min_value ?? Number.NEGATIVE_INFINITY);
  const most = Number(element.max_value ?? Number.POSITIVE_INFINITY);
  if (least > most) refuse(inspection, `must be less than ${most}`, `${at}/min_value`);
  if (element.initial_value === undefined) return;
  const initial = Number(element.initial_value);
  if (initial < least) refuse(inspection, `must be greater than ${least}`, `${at}/initial_value`);
  if (initial > most) refuse(inspection, `must be less than ${most}`, `${at}/initial_value`);
  if (element.is_decimal_allowed === false && !Number.isInteger(initial)) {
    refuse(inspection, 'must provide an integer', `${at}/initial_value`);
  }
};

/** Elements into which a person types or drops something, by element type. */
export const TYPED_INPUTS: Record<string, Check> = {
  plain_text_input: typed(
    {
      optional: {
        ...INPUT,
        initial_value: line,
        multiline: flag,
        min_length: integer(0, PLAIN_TEXT_INPUT_CHARS),
        max_length: integer(1, PLAIN_TEXT_INPUT_CHARS),
      },
    },
    lengthsAgree,
  ),
  rich_text_input: typed(
    {
      optional: {
        ...INPUT,
        initial_value: richTextValue,
        min_lines: integer(1, RICH_TEXT_INPUT_LINES),
        max_lines: integer(1, RICH_TEXT_INPUT_LINES),
      },
    },
    linesAgree,
  ),
  email_text_input: typed({ optional: { ...INPUT, initial_value: line } }),
  url_text_input: typed({ optional: { ...INPUT, initial_value: line } }),
  number_input: typed(
    {
      required: { is_decimal_allowed: flag },
      optional: { ...INPUT, initial_value: numeral, min_value: numeral, max_value: numeral },
    },
    numbersAgree,
  ),
  file_input: typed({
    optional: {
      action_id: id,
      filetypes: list(1, ID_CHARS, text(1, ID_CHARS)),
      max_files: integer(1, FILE_INPUT_FILES),
    },
  }),
};
