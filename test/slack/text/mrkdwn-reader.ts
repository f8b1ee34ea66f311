// How Slack would read mrkdwn, in the strictest sense: wherever Slack might format, this does.

const LINK = /<([^<>|]*)(?:\|([^<>]*))?>/g;
const CODE = /```[^`]*```|`[^`\n]*`/g;
const MARK = /[*_~\uff0a\uff3f\uff5e]/u;
const IN_WORD = /[\p{L}\p{N}]/u;

const STYLES: Record<string, string> = { '*': 'bold', _: 'italic', '~': 'strike', '`': 'code' };

/** The styles that marks stand for, as in Slack's rich text. */
export const stylesOf = (marks: string): object =>
  Object.fromEntries([...marks].map((mark) => [STYLES[mark], true]));

export type Link = { url: string; label: string };

/** The explicit links of a text. */
export function linksIn(mrkdwn: string): Link[] {
  return [...mrkdwn.matchAll(LINK)].map(([, url = '', label = url]) => ({ url, label }));
}

/** The possible formatting marks of every line, outside of links and code. */
export function marksIn(mrkdwn: string): string[][] {
  const text = mrkdwn.replaceAll(LINK, 'x').replaceAll(CODE, 'x');
  return text.split('\n').map((line) => {
    const chars = [...line];
    return chars.filter((char, index) => {
      const before = chars[index - 1] ?? ' ';
      const after = chars[index + 1] ?? ' ';
      const inWord = IN_WORD.test(before) && IN_WORD.test(after);
      const alone = /\s/.test(before) && /\s/.test(after);
      return (MARK.test(char) && !inWord && !alone) || char === '`';
    });
  });
}

/** Whether the marks of each line open and close like brackets. */
export function marksAreClosed(mrkdwn: string): boolean {
  return marksIn(mrkdwn).every((marks) => {
    const open: string[] = [];
    for (const mark of marks) {
      if (open.at(-1) === mark) open.pop();
      else open.push(mark);
    }
    return open.length === 0;
  });
}

/** Whether every bracket belongs to a link (or starts a quote) and every ampersand to one of the three entities. */
export function isWhole(mrkdwn: string): boolean {
  const rest = mrkdwn.replaceAll(LINK, '').replace(/^> /gm, '');
  return !/[<>]/.test(rest) && !/&(?!(?:amp|lt|gt);)/.test(mrkdwn);
}

/** Emoji codes that Slack would draw; it draws none in code. */
export function emojiIn(mrkdwn: string): string[] {
  const text = mrkdwn.replaceAll(LINK, ' $2 ').replaceAll(CODE, ' ');
  return text.match(/:(?!\d+:)[\p{L}\p{N}_+'-]+:|:(?:100|1234):/gu) ?? [];
}

/** Quotes that Slack would draw. */
export function quotesIn(mrkdwn: string): string[] {
  return mrkdwn.match(/^[ \t]*(?:&gt;|>|\uff1e)/gm) ?? [];
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

export function decodeEntities(mrkdwn: string): string {
  return mrkdwn.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}

const ALIKE: Record<string, string> = {
  '\u2217': '*',
  '\uff0a': '*',
  '\u02cd': '_',
  '\uff3f': '_',
  '\u223c': '~',
  '\uff5e': '~',
  '\u02cb': '`',
  '\uff40': '`',
};

/** A text as it looks: lookalike characters are the same, and invisible ones are left out. */
export function asSeen(text: string): string {
  return text
    .replace(/[\u2060\u00ad\u200b]/g, '')
    .replace(/[\u2217\uff0a\u02cd\uff3f\u223c\uff5e\u02cb\uff40]/g, (char) => ALIKE[char] ?? char);
}
