import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { createTreeBuilder } from './html-tree-builder.ts';
import type { RichNode } from './rich-nodes.ts';

/** Longest HTML that is read, in UTF-16 units (ours: the service names no limit). A pasted image can be this long. */
export const HTML_MAX = 500_000;
/** Most tags and pieces of text between them that are read (ours): they cost more than long ones do. */
export const HTML_TOKENS_MAX = 20_000;

/**
 * HTML as a browser would show it, as a small tree. Scripts, styles, templates, the head and the like are
 * dropped with their content, unknown tags are transparent, white space is collapsed, texts are wellFormed.
 * Text without any tag keeps its line breaks. Never throws; lists, quotes and so on nest at most NESTING_MAX
 * deep (what lies deeper is flattened). Reading stops after HTML_MAX units, after HTML_TOKENS_MAX tokens, or
 * once the tree holds more than `enough` units of text without white space (default: everything), so that a
 * long document costs no more than what will be shown of it.
 *
 * Only parse5's tokenizer is used, not its tree: a browser's tree of hostile HTML can be far larger than the
 * HTML (github.com/whatwg/html/issues/10772), and styles are easier to follow as a count of open tags.
 */
export function parseHtml(html: string, enough = Number.POSITIVE_INFINITY): RichNode[] {
  const read = html.slice(0, HTML_MAX);
  const firstTag = read.search(/<[a-z/!?]/i);
  const isHtml = firstTag >= 0 && read.includes('>', firstTag);
  // Without any tag, "width <height" is not the beginning of one.
  const source = isHtml ? read : read.replaceAll('<', '&lt;');
  const builder = createTreeBuilder({ keepWhiteSpace: !isHtml });
  let tokens = 0;
  function countToken() {
    tokens += 1;
    if (tokens === HTML_TOKENS_MAX || builder.visibleUnits() > enough) tokenizer.pause();
  }
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag(token: Token.TagToken) {
        const mode = builder.startTag(token);
        if (mode !== undefined) tokenizer.state = TokenizerMode[mode];
        tokenizer.inForeignNode = builder.inForeignContent();
        countToken();
      },
      onEndTag(token: Token.TagToken) {
        builder.endTag(token.tagName);
        tokenizer.inForeignNode = builder.inForeignContent();
        countToken();
      },
      onCharacter(token: Token.CharacterToken) {
        builder.text(token.chars);
        countToken();
      },
      onWhitespaceCharacter(token: Token.CharacterToken) {
        builder.whiteSpace(token.chars);
        countToken();
      },
      // As in a browser, a NUL between tags is nothing.
      onNullCharacter() {},
      onComment() {},
      onDoctype() {},
      onEof() {},
    },
  );
  tokenizer.write(source, true);
  return builder.finish();
}
