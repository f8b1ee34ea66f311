import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { createTreeBuilder } from './html-tree-builder.ts';
import type { RichNode } from './rich-nodes.ts';

/**
 * Our limit for HTML, in UTF-16 units; the service documents none. Pasted images can be this long.
 */
export const HTML_MAX = 500_000;
/** Our limit for tags and pieces of text, which cost more than long ones. */
export const HTML_TOKENS_MAX = 20_000;

/**
 * Parses HTML into a small tree of what a browser would show. Scripts, styles, templates, and the
 * head are dropped with their content, unknown tags are transparent, white space is collapsed, and
 * text is well-formed. Text without any tag keeps its line breaks. Never throws. Nesting deeper
 * than NESTING_MAX is flattened.
 *
 * Reading stops after HTML_MAX units, after HTML_TOKENS_MAX tokens, or once the tree has more than
 * `enough` units of visible text, so that a long document costs no more than what is shown of it.
 *
 * Uses only parse5's tokenizer: a browser's tree of hostile HTML can be far larger than the HTML
 * (github.com/whatwg/html/issues/10772), and styles are easier to track as a count of open tags.
 */
export function parseHtml(html: string, enough = Number.POSITIVE_INFINITY): RichNode[] {
  const read = html.slice(0, HTML_MAX);
  const firstTag = read.search(/<[a-z/!?]/i);
  const isHtml = firstTag >= 0 && read.includes('>', firstTag);
  // Without any tag, "width <height" doesn't start one.
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
      // Browsers ignore a NUL between tags, too.
      onNullCharacter() {},
      onComment() {},
      onDoctype() {},
      onEof() {},
    },
  );
  tokenizer.write(source, true);
  return builder.finish();
}
