import { type Check, list, oneOfKinds, type Rule, refuse, shape, typed } from './check.ts';
import {
  CONFIRM_BUTTON_CHARS,
  CONFIRM_TEXT_CHARS,
  CONFIRM_TITLE_CHARS,
  IMAGE_ALT_TEXT_CHARS,
  OPTION_DESCRIPTION_CHARS,
  OPTION_TEXT_CHARS,
  OPTION_VALUE_CHARS,
  PLACEHOLDER_CHARS,
} from './limits.ts';
import { flag, oneOf, text, webUrl } from './scalar.ts';

// Only plain_text has `emoji`, and only mrkdwn has `verbatim`.
function plain(max: number): Check {
  return typed({ required: { text: text(1, max) }, optional: { emoji: flag } });
}

function mrkdwn(max: number): Check {
  return typed({ required: { text: text(1, max) }, optional: { verbatim: flag } });
}

/** A plain_text object of 1 to `max` characters. */
export function plainText(max: number): Check {
  return oneOfKinds({ plain_text: plain(max) });
}

/** A plain_text or mrkdwn object of 1 to `max` characters. */
export function anyText(max: number): Check {
  return oneOfKinds({ plain_text: plain(max), mrkdwn: mrkdwn(max) });
}

/** The text of an empty element. */
export const placeholder: Check = plainText(PLACEHOLDER_CHARS);
/** The style of a button; the default one has no name. */
export const colorScheme: Check = oneOf('primary', 'danger');

/** The documentation requires all four texts, the types only `text`; this is the stricter one. */
export const confirm: Check = shape({
  required: {
    title: plainText(CONFIRM_TITLE_CHARS),
    text: anyText(CONFIRM_TEXT_CHARS),
    confirm: plainText(CONFIRM_BUTTON_CHARS),
    deny: plainText(CONFIRM_BUTTON_CHARS),
  },
  optional: { style: colorScheme },
});

const optionValue = text(1, OPTION_VALUE_CHARS);

/** An option of a select menu: plain text only. */
export const menuOption: Check = shape({
  required: { text: plainText(OPTION_TEXT_CHARS), value: optionValue },
  optional: { description: plainText(OPTION_DESCRIPTION_CHARS) },
});

/** An option of checkboxes: the only ones that accept mrkdwn. */
export const choiceOption: Check = shape({
  required: { text: anyText(OPTION_TEXT_CHARS), value: optionValue },
  optional: { description: anyText(OPTION_DESCRIPTION_CHARS) },
});

/** An option of an overflow menu: the only one that accepts a `url`. */
export const overflowOption: Check = shape({
  required: { text: plainText(OPTION_TEXT_CHARS), value: optionValue },
  optional: { description: plainText(OPTION_DESCRIPTION_CHARS), url: webUrl },
});

/** A list of options with unique values ("a unique string value", according to the option reference). */
export function options(max: number, option: Check): Check {
  const each = list(1, max, option);
  return (value, at, inspection) => {
    each(value, at, inspection);
    if (!Array.isArray(value)) return;
    const seen = new Set<unknown>();
    for (const [i, item] of value.entries()) {
      const chosen: unknown = item?.value;
      if (chosen !== undefined && seen.has(chosen)) {
        refuse(inspection, 'must be unique among the options', `${at}/${i}/value`);
      }
      seen.add(chosen);
    }
  };
}

/** Whether two JSON values are equal, regardless of the order of properties. */
function alike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const left = Object.entries(one).filter(([, value]) => value !== undefined);
  const right = new Map(Object.entries(other).filter(([, value]) => value !== undefined));
  return left.length === right.size && left.every(([name, value]) => alike(value, right.get(name)));
}

/** `initial_option` and `initial_options` must repeat existing options exactly, according to the reference. */
export const initialIsOffered: Rule = (element, at, inspection) => {
  const single = element.initial_option ?? undefined;
  const several = Array.isArray(element.initial_options) ? element.initial_options : [];
  if (single === undefined && several.length === 0) return;
  const known: unknown[] = Array.isArray(element.options) ? element.options : [];
  const isOffered = (option: unknown) => known.some((candidate) => alike(candidate, option));
  if (single !== undefined && !isOffered(single)) {
    refuse(inspection, 'must exactly match one of the options', `${at}/initial_option`);
  }
  for (const [i, option] of several.entries()) {
    if (isOffered(option)) continue;
    refuse(inspection, 'must exactly match one of the options', `${at}/initial_options/${i}`);
  }
};

/** A description of an image for people who can't see it, of 1 to 2000 characters. */
export const altText: Check = text(1, IMAGE_ALT_TEXT_CHARS);
