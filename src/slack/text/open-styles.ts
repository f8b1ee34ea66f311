import type { TextStyles } from './rich-nodes.ts';

const NAMES = ['bold', 'italic', 'strike', 'code', 'underline'] as const;
type StyleName = (typeof NAMES)[number];

const STYLE_OF: ReadonlyMap<string, StyleName> = new Map<string, StyleName>([
  ['b', 'bold'],
  ['strong', 'bold'],
  ['i', 'italic'],
  ['em', 'italic'],
  ['cite', 'italic'],
  ['dfn', 'italic'],
  ['var', 'italic'],
  ['s', 'strike'],
  ['strike', 'strike'],
  ['del', 'strike'],
  ['u', 'underline'],
  ['ins', 'underline'],
  ['code', 'code'],
  ['kbd', 'code'],
  ['samp', 'code'],
  ['tt', 'code'],
]);

/** Our limit for `style` attributes, in UTF-16 units. */
const STYLE_ATTRIBUTE_MAX = 1000;

const CSS: [RegExp, StyleName, boolean][] = [
  [/font-weight:\s{0,9}(?:bold|[6-9]00)/, 'bold', true],
  // Google Docs wraps pasted documents in <b style="font-weight:normal">, which is not bold.
  [/font-weight:\s{0,9}(?:normal|[1-5]00)/, 'bold', false],
  [/font-style:\s{0,9}(?:italic|oblique)/, 'italic', true],
  [/font-style:\s{0,9}normal/, 'italic', false],
  [/text-decoration(?:-line)?:[^;]{0,50}line-through/, 'strike', true],
  [/text-decoration(?:-line)?:[^;]{0,50}underline/, 'underline', true],
];

function stylesOf(tag: string, styleAttribute: string): StyleName[] {
  const own = STYLE_OF.get(tag);
  if (styleAttribute === '') return own === undefined ? [] : [own];
  const styles = new Set<StyleName>(own === undefined ? [] : [own]);
  const css = styleAttribute.slice(0, STYLE_ATTRIBUTE_MAX).toLowerCase();
  for (const [pattern, style, on] of CSS) {
    if (!pattern.test(css)) continue;
    if (on) styles.add(style);
    else styles.delete(style);
  }
  return [...styles];
}

/** Tracks the active styles by counting open tags, so overlapping tags need no tree. */
export function createOpenStyles() {
  let counts = new Map<StyleName, number>();
  // The styles that each open tag turned on; its end tag turns off the same.
  let openTags = new Map<string, StyleName[][]>();
  // Whether `counts` was saved and must be copied before it changes.
  let isSaved = false;
  // One object per set of styles, so that texts of the same style are recognized by identity.
  const cache = new Map<number, TextStyles>();

  function count(names: StyleName[], by: 1 | -1) {
    if (isSaved && names.length > 0) {
      counts = new Map(counts);
      isSaved = false;
    }
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + by);
  }

  return {
    open(tag: string, styleAttribute: string) {
      const names = stylesOf(tag, styleAttribute);
      const open = openTags.get(tag) ?? [];
      open.push(names);
      openTags.set(tag, open);
      count(names, 1);
    },
    close(tag: string) {
      count(openTags.get(tag)?.pop() ?? [], -1);
    },
    /** Saves the styles for a table cell. The returned function ends all styles opened since. */
    isolate(): () => void {
      const saved = { counts, openTags, isSaved };
      openTags = new Map();
      isSaved = true;
      return () => {
        ({ counts, openTags, isSaved } = saved);
      };
    },
    current(): TextStyles {
      const on = NAMES.filter((name) => (counts.get(name) ?? 0) > 0);
      const key = on.reduce((bits, name) => bits | (1 << NAMES.indexOf(name)), 0);
      const styles = cache.get(key) ?? Object.fromEntries(on.map((name) => [name, true]));
      cache.set(key, styles);
      return styles;
    },
  };
}
