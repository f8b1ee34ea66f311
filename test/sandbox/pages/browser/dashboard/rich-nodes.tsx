import type { InlineNode, RichNode } from '../../../../../src/slack/text/html-paragraph.ts';
import { ExternalLink } from '../text/external-link.tsx';

/** The service's HTML as parsed by the app: a tree of known nodes, never markup. */
export function RichNodes({ nodes }: { nodes: RichNode[] }) {
  return keyed(nodes).map(([key, node]) => <Rich key={key} node={node} />);
}

const keyed = <Item,>(items: readonly Item[]) =>
  items.map((item, index): [string, Item] => [String(index), item]);

function Rich({ node }: { node: RichNode }) {
  switch (node.type) {
    case 'paragraph':
      return (
        <p>
          <Inline nodes={node.children} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <RichNodes nodes={node.children} />
        </blockquote>
      );
    case 'preformatted':
      return <pre>{node.text}</pre>;
    case 'list':
      return <List list={node} />;
  }
}

function List({ list }: { list: Extract<RichNode, { type: 'list' }> }) {
  const items = keyed(list.items).map(([key, item]) => (
    <li key={key}>
      <RichNodes nodes={item} />
    </li>
  ));
  return list.ordered ? <ol start={list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Inline({ nodes }: { nodes: InlineNode[] }) {
  return keyed(nodes).map(([key, node]) => <Piece key={key} node={node} />);
}

function Piece({ node }: { node: InlineNode }) {
  if (node.type === 'break') return <br />;
  const { text, styles, href } = node;
  let shown: React.ReactNode = text;
  if (styles.code) shown = <code>{shown}</code>;
  if (styles.bold) shown = <strong>{shown}</strong>;
  if (styles.italic) shown = <em>{shown}</em>;
  if (styles.strike) shown = <s>{shown}</s>;
  if (styles.underline) shown = <u>{shown}</u>;
  return href ? <ExternalLink url={href}>{shown}</ExternalLink> : shown;
}
