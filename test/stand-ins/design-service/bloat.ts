/** What fills a value that is far too large. */
export type Filling =
  /** A list that repeats the same entry, as JSON; `#` in it is replaced by its number. */
  | { entry: string }
  /** Nested lists or objects. */
  | { nested: 'lists' | 'objects' }
  /** An object with a number under every key. */
  | { keys: 'numbered' }
  /** Repeated text. */
  | { text: string };

/**
 * An answer in which one value is replaced by one of about that many bytes.
 *
 * @param json the right answer, an object
 * @param path the keys that lead to the value
 */
export function bloated(
  json: string,
  { path, filling, bytes }: { path: readonly string[]; filling: Filling; bytes: number },
): string {
  const answer = JSON.parse(json);
  const parent = path.slice(0, -1).reduce((holder, key) => holder[key], answer);
  parent[path.at(-1) ?? ''] = PLACEHOLDER;
  return JSON.stringify(answer).replace(`"${PLACEHOLDER}"`, () => filled(filling, bytes));
}

const PLACEHOLDER = 'bloated-5f1c';

function filled(filling: Filling, bytes: number): string {
  if ('text' in filling) {
    const unit = JSON.stringify(filling.text).slice(1, -1);
    return `"${unit.repeat(bytes / Buffer.byteLength(unit))}"`;
  }
  if ('nested' in filling) {
    const [opening, closing] = filling.nested === 'lists' ? ['[', ']'] : ['{"a":', '}'];
    const depth = Math.floor(bytes / (opening.length + closing.length));
    return `${opening.repeat(depth)}0${closing.repeat(depth)}`;
  }
  return 'keys' in filling
    ? `{${numbered('"#":0', bytes)}}`
    : `[${numbered(filling.entry, bytes)}]`;
}

function numbered(entry: string, bytes: number): string {
  const entries: string[] = [];
  for (let size = 0; size < bytes; ) {
    const next = entry.replaceAll('#', String(entries.length));
    entries.push(next);
    size += Buffer.byteLength(next) + 1;
  }
  return entries.join(',');
}
