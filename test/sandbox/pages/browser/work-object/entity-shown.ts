import { asObject, asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';

/** A field of a Work Object, as it is shown. */
export type FieldShown = ReturnType<typeof fieldShown>;

/** Slack's names for the standard fields of a task. */
const LABELS: Record<string, string> = {
  description: 'Description',
  status: 'Status',
  due_date: 'Due date',
  created_by: 'Created by',
  date_created: 'Created',
  date_updated: 'Updated',
};

/** What Slack shows of an entity, its fields in the app's order. */
export function entityShown(entity: JsonObject) {
  const payload = asObject(entity.entity_payload);
  const attributes = asObject(payload.attributes);
  const standard = Object.entries(asObject(payload.fields)).map(
    ([key, field]): JsonObject => ({ label: LABELS[key] ?? key, ...asObject(field), key }),
  );
  const all = [...standard, ...objectsOf(payload.custom_fields)];
  const order = Array.isArray(payload.display_order) ? payload.display_order.map(asText) : [];
  const rankOf = ({ key }: JsonObject) => order.indexOf(asText(key)) + 1 || all.length + 1;
  return {
    title: asText(asObject(attributes.title).text),
    type: asText(attributes.display_type),
    id: asText(attributes.display_id),
    fields: all.toSorted((one, other) => rankOf(one) - rankOf(other)).map(fieldShown),
  };
}

function fieldShown(field: JsonObject) {
  const { key, label, type, value, tag_color, image_url, alt_text, user, long } = field;
  const isTime = type === 'slack#/types/timestamp' || asText(key).startsWith('date_');
  const text = isTime ? timeShown(Number(value)) : asText(value);
  return {
    key: asText(key),
    label: asText(label),
    text: type === 'slack#/types/date' ? dayShown(text) : text || asText(asObject(user).text),
    tagColor: asText(tag_color) || undefined,
    link: type === 'slack#/types/link' ? asText(value) : undefined,
    image: image_url ? { address: asText(image_url), alt: asText(alt_text) } : undefined,
    isLong: long === true,
  };
}

const timeShown = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });

const dayShown = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    dateStyle: 'medium',
    timeZone: 'UTC',
  });
