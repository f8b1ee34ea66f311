/** A piece of Slack's mrkdwn (docs.slack.dev/messaging/formatting-message-text), ready to be shown. */
export type MrkdwnNode =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; children: MrkdwnNode[] }
  | { kind: 'code'; text: string }
  | { kind: 'emoji'; name: string }
  | { kind: 'link'; url: string; label: string }
  | { kind: 'user' | 'channel'; id: string; label: string | undefined }
  | { kind: 'broadcast'; name: string }
  | { kind: 'date'; seconds: number; format: string; fallback: string };

export type MrkdwnBlock =
  | { kind: 'lines' | 'quote'; lines: MrkdwnNode[][] }
  | { kind: 'preformatted'; text: string };

const FENCED = /```([\s\S]*?)```/;
const QUOTE = /^(?:&gt;|>) ?/;
const MARKS: Record<string, 'bold' | 'italic' | 'strike'> = {
  '*': 'bold',
  _: 'italic',
  '~': 'strike',
};
const WORD = /[\p{L}\p{N}]/u;
const ATOM = /<([^<>\n]+)>|`([^`\n]+)`|:([\p{L}\p{N}_+'-]+):/uy;

/** Parses mrkdwn as Slack shows it. Never throws: unclosed formatting stays text. */
export function parseMrkdwn(mrkdwn: string): MrkdwnBlock[] {
  const fence = FENCED.exec(mrkdwn);
  if (!fence) return linesOf(mrkdwn);
  const before = mrkdwn.slice(0, fence.index);
  const after = mrkdwn.slice(fence.index + fence[0].length);
  const text = withoutEntities(fence[1] ?? '').replace(/^\n|\n$/g, '');
  return [
    ...(before.trim() ? linesOf(before.replace(/\n$/, '')) : []),
    { kind: 'preformatted', text },
    ...(after.trim() ? parseMrkdwn(after.replace(/^\n/, '')) : []),
  ];
}

function linesOf(mrkdwn: string): MrkdwnBlock[] {
  const blocks: { kind: 'lines' | 'quote'; lines: MrkdwnNode[][] }[] = [];
  for (const line of mrkdwn.split('\n')) {
    const quoted = QUOTE.test(line);
    const kind = quoted ? 'quote' : 'lines';
    const nodes = inlineOf(quoted ? line.replace(QUOTE, '') : line);
    const last = blocks.at(-1);
    if (last?.kind === kind) last.lines.push(nodes);
    else blocks.push({ kind, lines: [nodes] });
  }
  return blocks;
}

/** One line: characters, and atoms in which no formatting starts or ends. */
type Piece = { char: string } | { atom: MrkdwnNode };

function inlineOf(line: string): MrkdwnNode[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < line.length) {
    ATOM.lastIndex = at;
    const found = ATOM.exec(line);
    const atom = found && atomOf(found);
    if (found && atom) {
      pieces.push({ atom });
      at += found[0].length;
    } else {
      const char = String.fromCodePoint(line.codePointAt(at) ?? 0);
      pieces.push({ char });
      at += char.length;
    }
  }
  return styled(pieces);
}

function atomOf([, inside, code, emoji]: RegExpExecArray): MrkdwnNode | undefined {
  if (inside !== undefined) return specialOf(inside);
  if (code !== undefined) return { kind: 'code', text: withoutEntities(code) };
  // Digits alone are a time such as 00:01:30.
  return emoji && !/^\d+$/.test(emoji) ? { kind: 'emoji', name: emoji } : undefined;
}

function specialOf(inside: string): MrkdwnNode {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? undefined : withoutEntities(inside.slice(bar + 1));
  if (target.startsWith('@')) return { kind: 'user', id: target.slice(1), label };
  if (target.startsWith('#')) return { kind: 'channel', id: target.slice(1), label };
  if (target.startsWith('!date^')) {
    const [, seconds = '', format = ''] = target.split('^');
    return { kind: 'date', seconds: Number(seconds), format, fallback: label ?? '' };
  }
  if (target.startsWith('!')) return { kind: 'broadcast', name: label ?? target.slice(1) };
  const url = withoutEntities(target);
  return { kind: 'link', url, label: label ?? url };
}

function styled(pieces: Piece[]): MrkdwnNode[] {
  const nodes: MrkdwnNode[] = [];
  let at = 0;
  while (at < pieces.length) {
    const piece = pieces[at];
    const kind = piece && 'char' in piece ? MARKS[piece.char] : undefined;
    const end = kind === undefined ? -1 : closing(pieces, at);
    if (kind !== undefined && end > 0) {
      nodes.push({ kind, children: styled(pieces.slice(at + 1, end)) });
      at = end + 1;
    } else {
      if (piece) append(nodes, piece);
      at += 1;
    }
  }
  return nodes.map((node) =>
    node.kind === 'text' ? { ...node, text: withoutEntities(node.text) } : node,
  );
}

function append(nodes: MrkdwnNode[], piece: Piece): void {
  const last = nodes.at(-1);
  if ('atom' in piece) nodes.push(piece.atom);
  else if (last?.kind === 'text') last.text += piece.char;
  else nodes.push({ kind: 'text', text: piece.char });
}

const charAt = (pieces: Piece[], at: number): string => {
  const piece = pieces[at];
  if (piece === undefined) return ' ';
  return 'char' in piece ? piece.char : 'atom';
};

// Slack formats only between word boundaries, and not around spaces.
function closing(pieces: Piece[], open: number): number {
  const mark = charAt(pieces, open);
  const bounded = !isWord(charAt(pieces, open - 1)) && !/\s/.test(charAt(pieces, open + 1));
  if (!bounded) return -1;
  for (let at = open + 2; at < pieces.length; at += 1) {
    if (charAt(pieces, at) !== mark) continue;
    if (!/\s/.test(charAt(pieces, at - 1)) && !isWord(charAt(pieces, at + 1))) return at;
  }
  return -1;
}

const isWord = (char: string) => char !== 'atom' && WORD.test(char);

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const withoutEntities = (text: string) =>
  text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
