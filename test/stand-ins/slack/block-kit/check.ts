/** Where blocks are shown: each surface accepts its own kinds of blocks and elements. */
export type Surface = 'message' | 'unfurl' | 'modal' | 'home';

/** One problem: Slack's message without the pointer, and the JSON pointer that Slack would name. */
export type BlockKitProblem = { message: string; pointer: string };

/** What one pass over a payload collects. */
export type Inspection = {
  readonly surface: Surface;
  readonly problems: BlockKitProblem[];
  readonly blockIds: Set<string>;
  focused: number;
};

/** Checks one value and adds its problems to the inspection. */
export type Check = (value: unknown, at: string, inspection: Inspection) => void;

/** A JSON object whose properties haven't been checked. */
export type Properties = Record<string, unknown>;

/** A rule for an object as a whole, run after the object's shape was checked. */
export type Rule = (object: Properties, at: string, inspection: Inspection) => void;

/** A new inspection: one per payload, since IDs and counters belong to the payload. */
export function inspectionOf(surface: Surface): Inspection {
  return { surface, problems: [], blockIds: new Set(), focused: 0 };
}

export function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds one problem, in Slack's wording, at this JSON pointer. */
export function refuse(inspection: Inspection, message: string, pointer: string): void {
  inspection.problems.push({ message, pointer });
}

/** An array of `min` to `max` items; wording from Slack's JSON schema library, hack-json-schema. */
export function list(min: number, max: number, item: Check): Check {
  return (value, at, inspection) => {
    if (!Array.isArray(value)) {
      refuse(inspection, 'must provide an array', at);
      return;
    }
    if (value.length < min) refuse(inspection, `must provide at least ${min} items`, at);
    if (value.length > max) refuse(inspection, `no more than ${max} items allowed`, at);
    for (let i = 0; i < value.length; i++) item(value[i], `${at}/${i}`, inspection);
  };
}

const anything: Check = () => undefined;

type Shape = { required?: Record<string, Check>; optional?: Record<string, Check> };

/**
 * An object with these properties and no others. A property that is `undefined` counts as absent, since JSON
 * omits it; `null` doesn't.
 */
export function shape({ required = {}, optional = {} }: Shape, ...rules: Rule[]): Check {
  const names = Object.keys(required);
  const checks = new Map([...Object.entries(required), ...Object.entries(optional)]);
  return (value, at, inspection) => {
    if (!isObject(value)) {
      refuse(inspection, 'must provide an object', at);
      return;
    }
    for (const name of names) {
      if (!Object.hasOwn(value, name) || value[name] === undefined) {
        refuse(inspection, `missing required field: ${name}`, at);
      }
    }
    checkProperties(value, checks, at, inspection);
    for (const rule of rules) rule(value, at, inspection);
  };
}

function checkProperties(
  object: Properties,
  checks: ReadonlyMap<string, Check>,
  at: string,
  inspection: Inspection,
): void {
  for (const name of Object.keys(object)) {
    if (object[name] === undefined) continue;
    const check = checks.get(name);
    if (check) check(object[name], `${at}/${name}`, inspection);
    else refuse(inspection, `invalid additional property: ${name}`, at);
  }
}

/** An object whose `type` selected this check: {@link byType} has checked the type. */
export function typed({ required, optional }: Shape, ...rules: Rule[]): Check {
  return shape({ required: { type: anything, ...required }, optional: { ...optional } }, ...rules);
}

/** The check for the object's `type`; `find` says which types are known here. */
export function byType(find: (type: string, inspection: Inspection) => Check | undefined): Check {
  return (value, at, inspection) => {
    if (!isObject(value)) {
      refuse(inspection, 'must provide an object', at);
      return;
    }
    const { type } = value;
    if (type === undefined) refuse(inspection, 'missing required field: type', at);
    else if (typeof type !== 'string') refuse(inspection, 'must provide a string', `${at}/type`);
    else {
      const check = find(type, inspection);
      if (check) check(value, at, inspection);
      else refuse(inspection, `unsupported type: ${type}`, `${at}/type`);
    }
  };
}

/** Like {@link byType}, for kinds that are known everywhere. */
export function oneOfKinds(kinds: Record<string, Check>): Check {
  const known = new Map(Object.entries(kinds));
  return byType((type) => known.get(type));
}

/** At least one of these properties. */
export function anyOf(...names: string[]): Rule {
  const wording = `must define either ${names.map((name) => `\`${name}\``).join(' or ')}`;
  return (object, at, inspection) => {
    if (names.every((name) => object[name] === undefined)) refuse(inspection, wording, at);
  };
}
