import { type Check, isObject, refuse, shape } from '../block-kit/check.ts';
import { isDate } from '../block-kit/dates.ts';
import { flag, id, integer, oneOf, text, webUrl } from '../block-kit/scalar.ts';
import { NAME_CHARS, VALUE_CHARS } from './limits.ts';

// The fields that the app shows. Sources: docs.slack.dev/messaging/work-objects-implementation, and
// message-metadata.d.ts of @slack/types.

const name = text(1, NAME_CHARS);
const value = text(1, VALUE_CHARS);
const email = text(3, NAME_CHARS, /^[^\s@]+@[^\s@]+$/);
/** Unix seconds. Milliseconds are a common mistake. */
const seconds = integer(0, 9_999_999_999);

const STRING = {
  label: name,
  long: flag,
  tag_color: oneOf('red', 'yellow', 'green', 'gray', 'blue'),
};

export const stringField: Check = shape({
  required: { value },
  optional: { ...STRING, type: oneOf('string') },
});

export const timestampField: Check = shape({
  required: { value: seconds },
  optional: { label: name, type: oneOf('slack#/types/timestamp') },
});

/** What each type of field has besides its type; `fields` and `custom_fields` share them. */
const TYPES: Record<string, { required: Record<string, Check>; optional: Record<string, Check> }> =
  {
    string: { required: { value }, optional: STRING },
    'slack#/types/date': { required: { value: isDate }, optional: { label: name } },
    'slack#/types/timestamp': { required: { value: seconds }, optional: { label: name } },
    'slack#/types/user': {
      required: { user: shape({ required: { text: name }, optional: { email } }) },
      optional: { label: name },
    },
    'slack#/types/link': { required: { value: webUrl }, optional: { label: name } },
    'slack#/types/image': {
      required: { alt_text: name, image_url: webUrl },
      optional: { label: name, title: name },
    },
  };

function ofType(given: unknown, more: Record<string, Check>): Check | undefined {
  const type = isObject(given) ? String(given.type) : '';
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!known) return undefined;
  return shape({
    required: { type: oneOf(type), ...known.required, ...more },
    optional: known.optional,
  });
}

/** A field of a task that says its type, such as its due date. */
export function typedField(...types: string[]): Check {
  return (given, at, inspection) => {
    const check = isObject(given) && types.includes(String(given.type)) && ofType(given, {});
    if (check) check(given, at, inspection);
    else refuse(inspection, `must be of a type among ${types.join(', ')}`, at);
  };
}

const KEY = { key: text(1, NAME_CHARS, /^[a-z0-9_]+$/), label: name };

/** One of `custom_fields`. */
export const customField: Check = (given, at, inspection) => {
  const check = ofType(given, KEY);
  if (check) check(given, at, inspection);
  else refuse(inspection, 'unsupported type', `${at}/type`);
};

const referenceId: Check = text(1, NAME_CHARS, /^[0-9a-zA-Z\-_:!/=]+$/);
export const reference: Check = shape({ required: { id: referenceId }, optional: { type: id } });
