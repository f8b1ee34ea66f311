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

/** Longest `style` attribute that is looked at, in UTF-16 units (ours). */
const STYLE_ATTRIBUTE_MAX = 1000;

const CSS: [RegExp, StyleName, boolean][] = [
  [/font-weight:\s{0,9}(?:bold|[6-9]00)/, 'bold', true],
  // Documents pasted from Google Docs come wrapped in <b style="font-weight:normal">, which is not bold.
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

/** Which styles are on, found by counting open tags: tags that overlap need no tree. */
export function createOpenStyles() {
  let counts = new Map<StyleName, number>();
  // What each open tag switched on, so that its end tag switches off the same.
  let openTags = new Map<string, StyleName[][]>();
  // Whether `counts` is to be put back as it is, and so must be copied before it changes.
  let kept = false;
  // One object for each set of styles: texts of the same look are recognised by identity.
  const known = new Map<number, TextStyles>();

  function count(names: StyleName[], by: 1 | -1) {
    if (kept && names.length > 0) {
      counts = new Map(counts);
      kept = false;
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
    /** Styles opened from here on end with the function that it returns: a table's cell keeps its own. */
    isolate(): () => void {
      const saved = { counts, openTags, kept };
      openTags = new Map();
      kept = true;
      return () => {
        ({ counts, openTags, kept } = saved);
      };
    },
    current(): TextStyles {
      const on = NAMES.filter((name) => (counts.get(name) ?? 0) > 0);
      const key = on.reduce((bits, name) => bits | (1 << NAMES.indexOf(name)), 0);
      const styles = known.get(key) ?? Object.fromEntries(on.map((name) => [name, true]));
      known.set(key, styles);
      return styles;
    },
  };
}
