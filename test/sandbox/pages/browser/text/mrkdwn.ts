import { type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';

const FENCED = /```([\s\S]+?)```/;
const QUOTE = /^(?:&gt;|>) ?/;
const STYLES: Record<string, string> = { '*': 'bold', _: 'italic', '~': 'strike' };
/** A token, code, or an emoji (digits alone are a time such as 00:01:30). No formatting starts or ends in the first two. */
const ATOMS = /<([^<>\n]+)>|`([^`\n]+)`|:((?!\d+:)[\p{L}\p{N}_+'-]+):/u.source;
const CHARACTER = /<[^<>\n]+>|`[^`\n]+`|(?!<[^<>\n]+>|`[^`\n]+`)[^\n]/u.source;
// Slack formats only between word boundaries, and not around spaces.
const MARKED = `(?<![\\p{L}\\p{N}])([*_~])(?!\\s)((?:${CHARACTER})+?)(?<!\\s)\\4(?![\\p{L}\\p{N}])`;
const INLINE = new RegExp(`${ATOMS}|${MARKED}`, 'gu');

/**
 * Slack's mrkdwn (docs.slack.dev/messaging/formatting-message-text) as the parts of a rich_text block. Never throws:
 * unclosed formatting stays text.
 */
export function parseMrkdwn(mrkdwn: string): JsonObject[] {
  const fence = FENCED.exec(mrkdwn);
  if (!fence) return linesOf(mrkdwn);
  const before = mrkdwn.slice(0, fence.index);
  const after = mrkdwn.slice(fence.index + fence[0].length);
  const text = withoutEntities(fence[1] ?? '').replace(/^\n|\n$/g, '');
  return [
    ...(before.trim() ? linesOf(before.replace(/\n$/, '')) : []),
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text }] },
    ...(after.trim() ? parseMrkdwn(after.replace(/^\n/, '')) : []),
  ];
}

/** Lines that follow each other are one part, and quoted ones another. */
function linesOf(mrkdwn: string): JsonObject[] {
  const parts: JsonObject[] = [];
  for (const line of mrkdwn.split('\n')) {
    const type = QUOTE.test(line) ? 'rich_text_quote' : 'rich_text_section';
    const nodes = inlineOf(type === 'rich_text_quote' ? line.replace(QUOTE, '') : line, {});
    const last = parts.at(-1);
    if (last?.type === type) {
      last.elements = [...objectsOf(last.elements), { type: 'text', text: '\n' }, ...nodes];
    } else parts.push({ type, elements: nodes });
  }
  return parts;
}

function inlineOf(line: string, style: JsonObject): JsonObject[] {
  const nodes: JsonObject[] = [];
  const write = (text: string, own = style) => {
    if (text !== '') nodes.push({ type: 'text', text: withoutEntities(text), style: own });
  };
  let at = 0;
  for (const [all, token, code, emoji, mark = '', marked = ''] of line.matchAll(INLINE)) {
    const found = line.indexOf(all, at);
    write(line.slice(at, found));
    at = found + all.length;
    if (token !== undefined) nodes.push({ ...nodeOf(token), style });
    else if (code !== undefined) write(code, { ...style, code: true });
    else if (emoji !== undefined) nodes.push({ type: 'emoji', name: emoji });
    else nodes.push(...inlineOf(marked, { ...style, [STYLES[mark] ?? mark]: true }));
  }
  write(line.slice(at));
  return nodes;
}

/** What is between angle brackets. */
function nodeOf(token: string): JsonObject {
  const [target = '', label = ''] = token.split(/\|(.*)/s);
  if (target.startsWith('@')) return { type: 'user', user_id: target.slice(1) };
  if (target.startsWith('#')) return { type: 'channel', channel_id: target.slice(1) };
  if (target.startsWith('!date^')) {
    const [, timestamp, format] = target.split('^');
    return { type: 'date', timestamp: Number(timestamp), format, fallback: withoutEntities(label) };
  }
  if (target.startsWith('!')) return { type: 'broadcast', range: target.slice(1) };
  return { type: 'link', url: withoutEntities(target), text: withoutEntities(label) };
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const withoutEntities = (text: string) =>
  text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
