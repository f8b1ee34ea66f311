export type TextStyles = {
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  underline?: boolean;
};

/** `href` and `src` come from linkTarget, so they are safe to click; `src` is '' if it wasn't. */
export type InlineNode =
  | { type: 'text'; text: string; styles: TextStyles; href?: string }
  | { type: 'image'; alt: string; src: string; href?: string }
  | { type: 'break' };

/** A paragraph without children is a blank line. The rows of a table are lines of one paragraph. */
export type RichNode =
  | { type: 'paragraph'; children: InlineNode[] }
  | { type: 'heading'; level: number; children: InlineNode[] }
  | { type: 'list'; ordered: boolean; start: number; items: RichNode[][] }
  | { type: 'quote'; children: RichNode[] }
  | { type: 'preformatted'; text: string };
