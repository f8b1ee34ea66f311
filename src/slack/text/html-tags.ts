/** How we treat an element; unknown ones are transparent. */
export type ElementKind =
  | 'dropped'
  | 'style'
  | 'block'
  | 'break'
  | 'link'
  | 'image'
  | 'list'
  | 'item'
  | 'quote'
  | 'preformatted'
  | 'heading'
  | 'table'
  | 'row'
  | 'cell';

const TAGS: Record<ElementKind, string> = {
  // Dropped with their content: metadata, code, other markup languages, fallbacks for old browsers.
  dropped:
    'script style template noscript title iframe noembed noframes svg math audio video canvas head',
  style: 'b strong i em cite dfn var s strike del u ins code kbd samp tt span font',
  // They only start and end a line.
  block:
    'address article aside body caption center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup hr html legend main nav option p search section summary',
  break: 'br',
  link: 'a',
  image: 'img',
  list: 'ul ol menu dir',
  item: 'li',
  quote: 'blockquote',
  preformatted: 'pre listing xmp plaintext',
  heading: 'h1 h2 h3 h4 h5 h6',
  table: 'table',
  row: 'tr',
  cell: 'td th',
};

const KINDS = Object.keys(TAGS) as ElementKind[];
const KIND_OF: ReadonlyMap<string, ElementKind> = new Map(
  KINDS.flatMap((kind) => TAGS[kind].split(' ').map((tag) => [tag, kind] as const)),
);

export function elementKind(tag: string): ElementKind | undefined {
  return KIND_OF.get(tag);
}

/**
 * Elements allowed in a `head`; any other tag closes an unclosed `head` (HTML standard 13.2.6.4.4).
 */
export const METADATA: ReadonlySet<string> = new Set(
  'base basefont bgsound link meta title style script noscript noframes template'.split(' '),
);

/** How the tokenizer reads content that isn't markup (HTML standard 13.2.6.4). */
export type RawContent = 'RCDATA' | 'RAWTEXT' | 'SCRIPT_DATA' | 'PLAINTEXT';

export const RAW_CONTENT: ReadonlyMap<string, RawContent> = new Map<string, RawContent>([
  ['title', 'RCDATA'],
  ['textarea', 'RCDATA'],
  ['style', 'RAWTEXT'],
  ['xmp', 'RAWTEXT'],
  ['iframe', 'RAWTEXT'],
  ['noembed', 'RAWTEXT'],
  ['noframes', 'RAWTEXT'],
  ['noscript', 'RAWTEXT'],
  ['script', 'SCRIPT_DATA'],
  ['plaintext', 'PLAINTEXT'],
]);
