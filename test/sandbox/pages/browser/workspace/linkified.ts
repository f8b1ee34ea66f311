import { escapeEntities } from '../../../../stand-ins/slack/escape-entities.ts';

const ADDRESS = /https?:\/\/[^\s<>|"]+/g;
const TRAILING = /(?<![.,;:!?)\]}'*_])[.,;:!?)\]}'*_]+$/;

/** In code, URLs aren't links. */
const CODE = /(```[\s\S]+?```|`[^`\n]+`)/;

/** What a person typed, as mrkdwn: special characters are escaped, URLs become links. */
export const linkified = (typed: string): string =>
  typed
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? escapeEntities(part) : withLinks(part)))
    .join('');

function withLinks(typed: string): string {
  let shown = '';
  let at = 0;
  for (const { 0: found, index } of typed.matchAll(ADDRESS)) {
    const address = found.replace(TRAILING, '');
    shown += `${escapeEntities(typed.slice(at, index))}<${escapeEntities(address)}>`;
    at = index + address.length;
  }
  return shown + escapeEntities(typed.slice(at));
}
