import { createElement } from 'react';
import { asObject, asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import type { MrkdwnNode } from '../text/mrkdwn.ts';
import { keyed, Inline as MrkdwnInline } from '../text/mrkdwn-text.tsx';
import { Styled } from '../text/styled.tsx';

export function RichText({ block }: { block: JsonObject }) {
  return (
    <div className="stack rich-text">
      {keyed(objectsOf(block.elements)).map(([key, part]) => (
        <Part key={key} part={part} />
      ))}
    </div>
  );
}

const TAGS = new Map([
  ['rich_text_quote', 'blockquote'],
  ['rich_text_preformatted', 'pre'],
]);

function Part({ part }: { part: JsonObject }) {
  if (part.type === 'rich_text_list') return <List list={part} />;
  const tag = TAGS.get(asText(part.type)) ?? 'p';
  return createElement(tag, null, <Inline nodes={objectsOf(part.elements)} />);
}

function List({ list }: { list: JsonObject }) {
  const items = keyed(objectsOf(list.elements)).map(([key, item]) => (
    <li key={key}>
      <Inline nodes={objectsOf(item.elements)} />
    </li>
  ));
  const indent = { marginInlineStart: `${Number(list.indent ?? 0) * 1.5}rem` };
  const start = Number(list.offset ?? 0) + 1;
  return list.style === 'ordered' ? (
    <ol style={indent} start={start}>
      {items}
    </ol>
  ) : (
    <ul style={indent}>{items}</ul>
  );
}

const Inline = ({ nodes }: { nodes: JsonObject[] }) =>
  keyed(nodes).map(([key, node]) => (
    <Styled
      key={key}
      styles={node.type === 'text' || node.type === 'link' ? asObject(node.style) : {}}
    >
      <MrkdwnInline nodes={nodesOf(node)} />
    </Styled>
  ));

function nodesOf(node: JsonObject): MrkdwnNode[] {
  const { type, text, url, name, range } = node;
  switch (type) {
    case 'text':
      return [{ kind: type, text: asText(text) }];
    case 'link':
      return [{ kind: type, url: asText(url), label: asText(text) || asText(url) }];
    case 'emoji':
      return [{ kind: type, name: asText(name) }];
    case 'user':
    case 'channel':
      return [{ kind: type, id: asText(node[`${type}_id`]), label: undefined }];
    case 'broadcast':
      return [{ kind: type, name: asText(range) }];
    case 'date': {
      const { timestamp, format, fallback } = node;
      const words = { format: asText(format), fallback: asText(fallback) };
      return [{ kind: type, seconds: Number(timestamp), ...words }];
    }
    default:
      return [];
  }
}
