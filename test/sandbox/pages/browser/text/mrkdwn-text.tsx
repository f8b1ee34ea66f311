import { createElement, Fragment } from 'react';
import { asObject, asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { useSlack } from '../workspace/slack-context.ts';
import { Emoji } from './emoji.tsx';
import { ExternalLink } from './external-link.tsx';
import { parseMrkdwn } from './mrkdwn.ts';
import { slackDate } from './slack-date.ts';
import { Styled } from './styled.tsx';

export const MrkdwnText = ({ text }: { text: string }) => (
  <Parts parts={parseMrkdwn(text)} section="span" />
);

export const RichText = ({ block }: { block: JsonObject }) => (
  <div className="stack rich-text">
    <Parts parts={objectsOf(block.elements)} section="p" />
  </div>
);

// Parsed text has no IDs, and its parts never move.
export const keyed = <Item,>(items: readonly Item[]) =>
  items.map((item, index): [string, Item] => [String(index), item]);

const TAGS: Record<string, string> = {
  rich_text_quote: 'blockquote',
  rich_text_preformatted: 'pre',
};

/** The parts of a rich_text block; plain lines are in a `section`. */
export const Parts = ({ parts, section }: { parts: JsonObject[]; section: 'p' | 'span' }) =>
  keyed(parts).map(([key, part]) => {
    if (part.type === 'rich_text_list') return <List key={key} list={part} />;
    const tag = TAGS[asText(part.type)] ?? section;
    return createElement(tag, { key }, <Inline nodes={objectsOf(part.elements)} />);
  });

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
    <Styled key={key} styles={asObject(node.style)}>
      {node.type === 'text' ? (
        <Lines text={asText(node.text)} />
      ) : (
        // In an editor, it is deleted as a whole and otherwise stays as it is.
        <span data-node={JSON.stringify(node)} contentEditable={false}>
          <Node node={node} />
        </span>
      )}
    </Styled>
  ));

function Node({ node }: { node: JsonObject }) {
  const { userName, channelName } = useSlack().names;
  const { type, text, url, timestamp, format, fallback } = node;
  switch (type) {
    case 'link':
      return <ExternalLink url={asText(url)}>{asText(text) || asText(url)}</ExternalLink>;
    case 'emoji':
      return <Emoji name={asText(node.name)} />;
    case 'user':
      return <span className="mention">@{userName(asText(node.user_id))}</span>;
    case 'channel':
      return <span className="mention">{channelName(asText(node.channel_id))}</span>;
    case 'broadcast':
      return <span className="mention">@{asText(node.range)}</span>;
    case 'date': {
      const shown = { format: asText(format), fallback: asText(fallback) };
      return <time>{slackDate({ seconds: Number(timestamp), ...shown }, new Date())}</time>;
    }
    default:
      return <span className="mention">@{asText(node.usergroup_id)}</span>;
  }
}

const Lines = ({ text }: { text: string }) =>
  keyed(text.split('\n')).map(([key, line]) => (
    <Fragment key={key}>
      {key === '0' ? null : <br />}
      {line}
    </Fragment>
  ));
