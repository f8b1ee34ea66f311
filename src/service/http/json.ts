/** Entries that are read of one list or object (ours: api.md, section 8, names no limit). */
export const MAX_ENTRIES = 10_000;
/** Values that are read of a whole answer (ours): ten of each entry of the longest list. */
const MAX_VALUES = 100_000;
/** Levels that are read (ours): a card has four, from the envelope to the addresses of a file. */
const MAX_DEPTH = 20;

/**
 * Parses an answer of the service. What exceeds the limits is left out before parsing, which bounds its
 * cost: 4 MiB of `{},` take 25 ms and 5 MiB of memory instead of 200 ms and 160 MiB. A list or an object
 * keeps its first MAX_ENTRIES entries, fewer once there are MAX_VALUES values in all, and none where it is
 * nested deeper than MAX_DEPTH.
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

/** The text without what exceeds the limits. */
function withinLimits(json: string): string {
  /** The number of entries so far in each list and object that is open, the innermost last. */
  const open: number[] = [];
  let values = 0;
  let kept = '';
  let keptTo = 0;

  /** Counts the entry after a comma or an opening bracket; true if it exceeds a limit. */
  function isTooMuch(sign: string): boolean {
    values += 1;
    const entries = sign === ',' ? (open.pop() ?? 0) + 1 : 1;
    open.push(entries);
    return open.length > MAX_DEPTH || entries > MAX_ENTRIES || values > MAX_VALUES;
  }

  /** Leaves out the rest of the innermost list or object; returns where that ends. */
  function leaveOutFrom(start: number): number {
    kept += json.slice(keptTo, start);
    keptTo = endOfOpen(json, start);
    open.pop();
    return keptTo;
  }

  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charAt(at);
    if (sign === '"') at = endOfText(json, at);
    else if (isClosing(sign)) open.pop();
    else if (sign === ',' && isTooMuch(sign)) at = leaveOutFrom(at);
    else if (isOpening(sign) && isTooMuch(sign)) at = leaveOutFrom(at + 1);
  }
  return kept + json.slice(keptTo);
}

const isOpening = (sign: string) => sign === '[' || sign === '{';
const isClosing = (sign: string) => sign === ']' || sign === '}';

/** The position of the bracket that closes what is open at `start`, or the length if there is none. */
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
