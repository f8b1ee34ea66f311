import {
  anyOf,
  type Check,
  eitherOr,
  isObject,
  list,
  type Rule,
  refuse,
  shape,
} from '../block-kit/check.ts';
import { isDate } from '../block-kit/dates.ts';
import { flag, id, integer, oneOf, text, userId, webUrl } from '../block-kit/scalar.ts';
import { NAME_CHARS, VALUE_CHARS } from './limits.ts';

// Sources: docs.slack.dev/messaging/work-objects-implementation, and message-metadata.d.ts of @slack/types.

const name = text(1, NAME_CHARS);
const value = text(1, VALUE_CHARS);
const email = text(3, NAME_CHARS, /^[^\s@]+@[^\s@]+$/);
/** Unix seconds. Milliseconds are a common mistake. */
const seconds = integer(0, 9_999_999_999);
const file = shape({ optional: { id: name, url: webUrl } }, anyOf('id', 'url'));

export const icon: Check = shape(
  { required: { alt_text: name }, optional: { url: webUrl, slack_file: file } },
  eitherOr('url', 'slack_file'),
);

function excludes(one: string, ...others: string[]): Rule {
  return (field, at, inspection) => {
    if (field[one] === undefined) return;
    for (const other of others.filter((key) => field[key] !== undefined)) {
      refuse(inspection, `must not define both \`${one}\` and \`${other}\``, at);
    }
  };
}

const STRING = {
  label: name,
  format: oneOf('markdown'),
  link: webUrl,
  icon,
  long: flag,
  tag_color: oneOf('red', 'yellow', 'green', 'gray', 'blue'),
};
const STRING_RULES = [excludes('tag_color', 'icon'), excludes('format', 'icon', 'link')];

export const stringField: Check = shape(
  { required: { value }, optional: { ...STRING, type: oneOf('string') } },
  ...STRING_RULES,
);

export const timestampField: Check = shape({
  required: { value: seconds },
  optional: { label: name, type: oneOf('slack#/types/timestamp') },
});

const person = shape(
  { optional: { user_id: userId, text: name, url: webUrl, email: email, icon } },
  eitherOr('user_id', 'text'),
);

/** What each type of field has besides its type; `fields` and `custom_fields` share them. */
const TYPES: Record<string, { required: Record<string, Check>; optional: Record<string, Check> }> =
  {
    string: { required: { value }, optional: STRING },
    integer: { required: { value: integer(-1e15, 1e15) }, optional: { label: name } },
    'slack#/types/date': { required: { value: isDate }, optional: { label: name, link: webUrl } },
    'slack#/types/timestamp': {
      required: { value: seconds },
      optional: { label: name, link: webUrl },
    },
    'slack#/types/user': { required: { user: person }, optional: { label: name } },
    'slack#/types/link': { required: { value: webUrl }, optional: { label: name } },
    'slack#/types/email': { required: { value: email }, optional: { label: name } },
    'slack#/types/image': {
      required: { alt_text: name },
      optional: { label: name, title: name, image_url: webUrl, slack_file: file },
    },
  };
const RULES: Record<string, Rule[]> = {
  string: STRING_RULES,
  'slack#/types/image': [eitherOr('image_url', 'slack_file')],
};

function ofType(given: unknown, more: Record<string, Check>): Check | undefined {
  const type = isObject(given) ? String(given.type) : '';
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!known) return undefined;
  return shape(
    { required: { type: oneOf(type), ...known.required, ...more }, optional: known.optional },
    ...(RULES[type] ?? []),
  );
}

/** A field of a task that says its type, such as its due date. */
export function typedField(...types: string[]): Check {
  return (given, at, inspection) => {
    const check = isObject(given) && types.includes(String(given.type)) && ofType(given, {});
    if (check) check(given, at, inspection);
    else refuse(inspection, `must be of a type among ${types.join(', ')}`, at);
  };
}

const ITEM_TYPES = ['string', 'integer', 'slack#/types/user'] as const;
const items = list(1, 100, shape({ required: { value } }));
const KEY = { key: text(1, NAME_CHARS, /^[a-z0-9_]+$/), label: name };

/** One of `custom_fields`. */
export const customField: Check = (given, at, inspection) => {
  if (isObject(given) && given.type === 'array') {
    const array = { type: oneOf('array'), item_type: oneOf(...ITEM_TYPES), value: items };
    shape({ required: { ...KEY, ...array } })(given, at, inspection);
    return;
  }
  const check = ofType(given, KEY);
  if (check) check(given, at, inspection);
  else refuse(inspection, 'unsupported type', `${at}/type`);
};

const referenceId: Check = text(1, NAME_CHARS, /^[0-9a-zA-Z\-_:!/=]+$/);
export const reference: Check = shape({ required: { id: referenceId }, optional: { type: id } });
