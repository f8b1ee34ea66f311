import { type Check, type Rule, refuse, typed } from './check.ts';
import { placeholder } from './composition.ts';
import { focusOnLoad } from './focus.ts';
import { FILE_INPUT_FILES, PLAIN_TEXT_INPUT_CHARS } from './limits.ts';
import { richTextValue } from './rich-text.ts';
import { flag, id, integer, text } from './scalar.ts';

const INPUT = { action_id: id, placeholder, focus_on_load: focusOnLoad };

const lengthsAgree: Rule = (element, at, inspection) => {
  const { max_length: most, initial_value: initial } = element;
  if (typeof most === 'number' && typeof initial === 'string' && initial.length > most) {
    refuse(inspection, `must be less than ${most + 1} characters`, `${at}/initial_value`);
  }
};

/** Elements into which a person types or drops something, by element type. */
export const TYPED_INPUTS: Record<string, Check> = {
  plain_text_input: typed(
    {
      optional: {
        ...INPUT,
        initial_value: text(0, PLAIN_TEXT_INPUT_CHARS),
        multiline: flag,
        max_length: integer(1, PLAIN_TEXT_INPUT_CHARS),
      },
    },
    lengthsAgree,
  ),
  rich_text_input: typed({ optional: { ...INPUT, initial_value: richTextValue } }),
  file_input: typed({ optional: { action_id: id, max_files: integer(1, FILE_INPUT_FILES) } }),
};
