import { Fragment } from 'react';
import { useSlack } from '../workspace/slack-context.ts';
import { Emoji } from './emoji.tsx';
import { ExternalLink } from './external-link.tsx';
import { type MrkdwnBlock, type MrkdwnNode, parseMrkdwn } from './mrkdwn.ts';
import { slackDate } from './slack-date.ts';
import { Styled } from './styled.tsx';

export function MrkdwnText({ text }: { text: string }) {
  return keyed(parseMrkdwn(text)).map(([key, block]) => <Block key={key} block={block} />);
}

// Parsed text has no IDs, and its parts never move.
export const keyed = <Item,>(items: readonly Item[]) =>
  items.map((item, index): [string, Item] => [String(index), item]);

function Block({ block }: { block: MrkdwnBlock }) {
  if (block.kind === 'preformatted') return <pre>{block.text}</pre>;
  const lines = keyed(block.lines).map(([key, nodes]) => (
    <Fragment key={key}>
      {key === '0' ? null : <br />}
      <Inline nodes={nodes} />
    </Fragment>
  ));
  return block.kind === 'quote' ? <blockquote>{lines}</blockquote> : <span>{lines}</span>;
}

export function Inline({ nodes }: { nodes: MrkdwnNode[] }) {
  return keyed(nodes).map(([key, node]) => <Node key={key} node={node} />);
}

function Node({ node }: { node: MrkdwnNode }) {
  const { userName, channelName } = useSlack().names;
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'bold':
    case 'italic':
    case 'strike':
      return (
        <Styled styles={{ [node.kind]: true }}>
          <Inline nodes={node.children} />
        </Styled>
      );
    case 'code':
      return <code>{node.text}</code>;
    case 'emoji':
      return <Emoji name={node.name} />;
    case 'link':
      return <ExternalLink url={node.url}>{node.label}</ExternalLink>;
    case 'user':
      return <span className="mention">@{node.label ?? userName(node.id)}</span>;
    case 'channel':
      return (
        <span className="mention">{node.label ? `#${node.label}` : channelName(node.id)}</span>
      );
    case 'broadcast':
      return <span className="mention mention-all">@{node.name}</span>;
    case 'date':
      return <time>{slackDate(node, new Date())}</time>;
  }
}
