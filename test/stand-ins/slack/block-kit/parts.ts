import { z } from 'zod';

// What blocks consist of. Sources: docs.slack.dev/reference/block-kit/composition-objects, and @slack/types; where
// they differ, the stricter one, so that what passes here passes in Slack. Lengths are in characters.

/** An object with this type, these properties, and no others. */
export const kind = (
  type: string,
  required: z.ZodRawShape,
  optional: z.ZodRawShape = {},
): z.ZodObject =>
  z.strictObject({ type: z.literal(type), ...required, ...z.object(optional).partial().shape });

export const oneOf = (first: z.ZodObject, ...others: z.ZodObject[]) =>
  z.discriminatedUnion('type', [first, ...others]);

/**
 * A string of 1 to `max` characters, without NUL and lone surrogates: neither survives Slack's JSON. Characters are
 * counted as UTF-16 code units, so an emoji counts as two where Slack (and Zod) count one: text that passes here is
 * never too long for Slack.
 */
export const text = (max: number, min = 1) =>
  z
    .string()
    .min(min)
    .refine(({ length }) => length <= max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be valid UTF-8');

/** A block_id, an action_id, or another name with the same limit. */
export const id = text(255);
export const flag = z.boolean();

const address = (...schemes: string[]) =>
  text(3000).refine((url) => schemes.includes(URL.parse(url)?.protocol ?? ''), 'must be a URL');
export const webUrl = address('http:', 'https:');
export const linkUrl = address('http:', 'https:', 'mailto:');

export const date = z.iso.date();

// Only plain_text has `emoji`, and only mrkdwn has `verbatim`.
export const plainText = (max: number) => kind('plain_text', { text: text(max) }, { emoji: flag });
export const mrkdwn = (max: number) => kind('mrkdwn', { text: text(max) }, { verbatim: flag });
export const anyText = (max: number) => oneOf(plainText(max), mrkdwn(max));

/** The style of a button; the default one has no name. */
export const colorScheme = z.enum(['primary', 'danger']);

/** The documentation requires all four texts, the types only `text`. */
export const confirm = z.strictObject({
  title: plainText(100),
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: colorScheme.optional(),
});

// The value has 75 characters in @slack/types, 150 in the documentation.
const option = (shown: z.ZodType, more: z.ZodRawShape = {}) =>
  z.strictObject({
    text: shown,
    value: text(75),
    description: shown.optional(),
    ...z.object(more).partial().shape,
  });
export const menuOption = option(plainText(75));
/** The only ones that accept mrkdwn. */
export const choiceOption = option(anyText(75));
/** The only ones that accept a `url`. */
export const overflowOption = option(plainText(75), { url: webUrl });

export function repeated(values: readonly unknown[]): number[] {
  return [...values.keys()].filter(
    (at) => values[at] !== undefined && values.indexOf(values[at]) < at,
  );
}

/** "A unique string value", according to the option reference. */
export const options = (max: number, one: typeof menuOption) =>
  z
    .array(one)
    .min(1)
    .max(max)
    .superRefine((all, { addIssue }) => {
      for (const at of repeated(all.map(({ value }) => value))) {
        addIssue({ code: 'custom', message: 'must be unique', path: [at, 'value'] });
      }
    });
