import { createElement, type ReactNode } from 'react';

const TAGS = { code: 'code', bold: 'strong', italic: 'em', strike: 's', underline: 'u' };

export function Styled({ styles, children }: { styles: object; children: ReactNode }) {
  return Object.entries(TAGS).reduce(
    (shown, [style, tag]) =>
      (styles as Record<string, unknown>)[style] === true ? createElement(tag, null, shown) : shown,
    children,
  );
}
