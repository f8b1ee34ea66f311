import type { ReactNode } from 'react';
import { asObject, asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { Emoji } from '../text/emoji.tsx';
import { ExternalLink } from '../text/external-link.tsx';
import { slackDate } from '../text/slack-date.ts';
import { useNames } from '../workspace/names.tsx';

export function RichText({ block }: { block: JsonObject }) {
  return (
    <div className="rich-text">
      {keyed(objectsOf(block.elements)).map(([key, part]) => (
        <Part key={key} part={part} />
      ))}
    </div>
  );
}

const keyed = (items: JsonObject[]) =>
  items.map((item, index): [string, JsonObject] => [String(index), item]);

function Part({ part }: { part: JsonObject }) {
  switch (part.type) {
    case 'rich_text_list':
      return <List list={part} />;
    case 'rich_text_quote':
      return (
        <blockquote>
          <Inline nodes={objectsOf(part.elements)} />
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <pre>
          <Inline nodes={objectsOf(part.elements)} />
        </pre>
      );
    default:
      return (
        <p>
          <Inline nodes={objectsOf(part.elements)} />
        </p>
      );
  }
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

function Inline({ nodes }: { nodes: JsonObject[] }) {
  return keyed(nodes).map(([key, node]) => <Node key={key} node={node} />);
}

function Node({ node }: { node: JsonObject }) {
  const { userName, channelName } = useNames();
  const styles = asObject(node.style);
  switch (node.type) {
    case 'text':
      return styled(styles, asText(node.text));
    case 'link': {
      const url = asText(node.url);
      return styled(styles, <ExternalLink url={url}>{asText(node.text) || url}</ExternalLink>);
    }
    case 'emoji':
      return <Emoji name={asText(node.name)} />;
    case 'user':
      return <span className="mention">@{userName(asText(node.user_id))}</span>;
    case 'channel':
      return <span className="mention">{channelName(asText(node.channel_id))}</span>;
    case 'broadcast':
      return <span className="mention mention-all">@{asText(node.range)}</span>;
    case 'date': {
      const { timestamp, format, fallback } = node;
      const shown = {
        seconds: Number(timestamp),
        format: asText(format),
        fallback: asText(fallback),
      };
      return <time>{slackDate(shown, new Date())}</time>;
    }
    default:
      return null;
  }
}

function styled(styles: JsonObject, inside: ReactNode): ReactNode {
  let shown = inside;
  if (styles.code === true) shown = <code>{shown}</code>;
  if (styles.bold === true) shown = <strong>{shown}</strong>;
  if (styles.italic === true) shown = <em>{shown}</em>;
  if (styles.strike === true) shown = <s>{shown}</s>;
  if (styles.underline === true) shown = <u>{shown}</u>;
  return shown;
}
