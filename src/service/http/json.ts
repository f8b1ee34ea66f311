// Our limits; the API reference names none.

/** Entries that are read from one array or object. */
export const MAX_ENTRIES = 10_000;
/** Values that are read from a whole answer: ten for each entry of the longest array. */
const MAX_VALUES = 100_000;
/** Levels of nesting that are read. A card has four. */
const MAX_DEPTH = 20;

/**
 * Parses an answer of the service. Whatever exceeds the limits is removed before parsing, to bound its cost:
 * 4 MiB of `{},` take 25 ms and 5 MiB of memory instead of 200 ms and 160 MiB. An array or object keeps its
 * first MAX_ENTRIES entries, fewer once there are MAX_VALUES values in total, and none below MAX_DEPTH.
 *
 * @returns undefined (which JSON can't express) if the text isn't JSON
 */
export function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(withinLimits(text));
  } catch {
    return undefined;
  }
}

function withinLimits(json: string): string {
  /** The number of entries so far in each open array and object, the innermost last. */
  const open: number[] = [];
  let values = 0;
  let kept = '';
  let keptTo = 0;

  /** Counts the entry after a comma or an opening bracket. @returns whether it exceeds a limit */
  function exceedsLimit(sign: string): boolean {
    values += 1;
    const entries = sign === ',' ? (open.pop() ?? 0) + 1 : 1;
    open.push(entries);
    return open.length > MAX_DEPTH || entries > MAX_ENTRIES || values > MAX_VALUES;
  }

  /** Removes the rest of the innermost array or object. @returns where that ends */
  function removeFrom(start: number): number {
    kept += json.slice(keptTo, start);
    keptTo = endOfOpen(json, start);
    open.pop();
    return keptTo;
  }

  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charAt(at);
    if (sign === '"') at = endOfText(json, at);
    else if (isClosing(sign)) open.pop();
    else if (sign === ',' && exceedsLimit(sign)) at = removeFrom(at);
    else if (isOpening(sign) && exceedsLimit(sign)) at = removeFrom(at + 1);
  }
  return kept + json.slice(keptTo);
}

const isOpening = (sign: string) => sign === '[' || sign === '{';
const isClosing = (sign: string) => sign === ']' || sign === '}';

/** The position of the closing bracket of whatever is open at `start`, or the length if there is none. */
function endOfOpen(json: string, start: number): number {
  let depth = 1;
  for (let at = start; at < json.length; at += 1) {
    const sign = json.charAt(at);
    if (sign === '"') at = endOfText(json, at);
    else if (isOpening(sign)) depth += 1;
    else if (isClosing(sign)) depth -= 1;
    if (depth === 0) return at;
  }
  return json.length;
}

/** The position of the quote that closes the one at `start`, or the length if there is none. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
