import { bodyOf, contentTypeOf, type Delivery } from '../../stand-ins/slack/dispatch/delivery.ts';
import type { JsonObject } from '../../stand-ins/slack/json.ts';
import type { Chance } from '../random.ts';
import { changedPayload } from './changed-payload.ts';
import { asJson, strangeText, strangeValue } from './strange-values.ts';

/** Real deliveries from Slack, at least one, from which the fuzzed ones are made. */
export type Recorded = readonly [Model, ...Model[]];
type Model = Pick<Delivery, 'kind' | 'payload'>;

export type HttpBody = { body: string | Buffer; contentType: string };

type Choices = readonly [string, ...string[]];

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const CONTENT_TYPES: Choices = [
  JSON_TYPE,
  FORM_TYPE,
  '',
  'text/plain',
  'APPLICATION/JSON ;',
  ';',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  `${FORM_TYPE}; charset=utf-8`,
];

const BROKEN_FORMS: Choices = [
  '',
  '&',
  '=',
  '&&==&',
  'payload',
  'payload=',
  'payload=null',
  'payload=[]',
  'payload=7',
  'payload=%',
  'payload=%7B',
  'payload=%7B%7D&payload=%7B%7D',
  'payload[]=1',
  'payload[type]=block_actions',
  'ssl_check=1',
  'ssl_check=1&ssl_check=2',
  '%00=%00',
  '__proto__=1&constructor=2&toString=3',
  '__proto__[type]=event_callback',
  'command=%2Fdesign-request',
  'command=%ff%fe&text=%C3%28',
  'type=url_verification&challenge=x',
];

const BROKEN_JSON: Choices = [
  '',
  'null',
  '[]',
  '7',
  '{',
  '{"a":',
  '[1,',
  'nul',
  "{'a':1}",
  '\ufeff{}',
  '{"a":1}{"b":2}',
  '\0',
];

const SEVERAL_BYTES = 200;
const BYTE_VALUES = 256;

type Way = (chance: Chance, recorded: Recorded) => HttpBody;

/** Each with its share of all bodies, in percent. */
const WAYS: readonly (readonly [number, Way])[] = [
  [70, changedDelivery],
  [10, (chance) => ({ body: asJson(strangeValue(chance)), contentType: JSON_TYPE })],
  [6, (chance) => payloadField(asJson(strangeValue(chance)))],
  [4, (chance) => ({ body: chance.pick(BROKEN_FORMS), contentType: FORM_TYPE })],
  [3, (chance) => ({ body: chance.pick(BROKEN_JSON), contentType: chance.pick(CONTENT_TYPES) })],
  [3, (chance) => ({ body: brokenBytes(chance), contentType: chance.pick(CONTENT_TYPES) })],
  [4, damagedDelivery],
];
const PERCENT = 100;

/** One body for `POST /slack/events`: a modified real one, or one that never was. */
export function strangeBody(chance: Chance, recorded: Recorded): HttpBody {
  let rest = chance.below(PERCENT);
  for (const [share, way] of WAYS) {
    if (rest < share) return way(chance, recorded);
    rest -= share;
  }
  return changedDelivery(chance, recorded);
}

function changedDelivery(chance: Chance, recorded: Recorded): HttpBody {
  const { kind, payload } = chance.pick(recorded);
  const renewed = withFreshIds(chance, payload);
  const changed = chance.is(0.05) ? renewed : changedPayload(chance, renewed);
  if (kind === 'command') return { body: formOf(changed), contentType: contentTypeOf(kind) };
  const json = withDoubledKey(chance, asJson(changed));
  return kind === 'event' ? { body: json, contentType: contentTypeOf(kind) } : payloadField(json);
}

/** Slack never reuses these IDs: with the old ones, all would count as repeats. */
export function withFreshIds(chance: Chance, payload: JsonObject): JsonObject {
  const fresh = ['trigger_id', 'event_id'].filter((name) => name in payload);
  const ids = fresh.map((name) => [name, `${payload[name]}-${chance.below(2 ** 40)}`]);
  return { ...payload, ...Object.fromEntries(ids) };
}

/** A command's fields are text, whatever they were before. */
function formOf(fields: JsonObject): string {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : asJson(value),
  ]);
  return bodyOf('command', Object.fromEntries(texts));
}

/** Sometimes repeats the first field: parsers disagree on which of the two counts. */
function withDoubledKey(chance: Chance, json: string): string {
  if (!json.startsWith('{"') || chance.is(0.9)) return json;
  const key = json.slice(1, json.indexOf('"', 2) + 1);
  return `{${key}:${asJson(strangeValue(chance))},${json.slice(1)}`;
}

const payloadField = (json: string): HttpBody => ({
  body: new URLSearchParams({ payload: json }).toString(),
  contentType: FORM_TYPE,
});

/** Bytes that aren't UTF-8, alone or after text. */
function brokenBytes(chance: Chance): Buffer {
  const length = chance.below(SEVERAL_BYTES);
  const bytes = Buffer.from(Array.from({ length }, () => chance.below(BYTE_VALUES)));
  return chance.is(0.5) ? bytes : Buffer.concat([Buffer.from(strangeText(chance)), bytes]);
}

function damagedDelivery(chance: Chance, recorded: Recorded): HttpBody {
  const { body, contentType } = changedDelivery(chance, recorded);
  const text = body.toString();
  const cut = chance.below(text.length);
  const damaged = chance.pick([
    () => text.slice(0, cut),
    () => text.slice(cut),
    () => text.slice(0, cut) + strangeText(chance) + text.slice(cut),
    () => text.replaceAll('%', '%%'),
    () => text.repeat(2),
  ])();
  return { body: damaged, contentType: chance.is(0.5) ? contentType : chance.pick(CONTENT_TYPES) };
}
