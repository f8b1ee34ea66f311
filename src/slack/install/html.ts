import { escapeHtml } from '../../escape-html.ts';

/** Escaped markup. */
export type Html = { readonly markup: string };

type Part = string | Html | readonly Html[];

function markupOf(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** Builds markup. Strings are escaped, also for quoted attributes. */
export function html(pieces: TemplateStringsArray, ...parts: Part[]): Html {
  const filled = pieces.map((piece, index) => {
    const part = parts[index];
    return part === undefined ? piece : piece + markupOf(part);
  });
  return { markup: filled.join('') };
}
