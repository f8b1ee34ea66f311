import type { Line, Span } from '../../../../../src/slack/text/html-lines.ts';
import { ExternalLink } from '../text/external-link.tsx';

/** The service's HTML as read by the app: lines of text, never markup. */
export function RichLines({ lines }: { lines: Line[] }) {
  return keyed(lines).map(([key, line]) =>
    line.quoted ? (
      <blockquote key={key}>
        <RichLine line={line} />
      </blockquote>
    ) : (
      <RichLine key={key} line={line} />
    ),
  );
}

const keyed = <Item,>(items: readonly Item[]) =>
  items.map((item, index): [string, Item] => [String(index), item]);

function RichLine({ line: { lead, spans } }: { line: Line }) {
  return (
    <p>
      {lead}
      {keyed(spans).map(([key, span]) => (
        <Piece key={key} span={span} />
      ))}
    </p>
  );
}

function Piece({ span: { text, styles, href } }: { span: Span }) {
  let shown: React.ReactNode = text;
  if (styles.code) shown = <code>{shown}</code>;
  if (styles.bold) shown = <strong>{shown}</strong>;
  if (styles.italic) shown = <em>{shown}</em>;
  if (styles.strike) shown = <s>{shown}</s>;
  return href ? <ExternalLink url={href}>{shown}</ExternalLink> : shown;
}
