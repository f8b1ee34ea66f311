import type { KnownBlock } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { ReferenceLists } from '../../service/cache/reference-lists.ts';
import { statusEmoji } from '../card/card-text.ts';
import type { Command } from '../interaction/interactions.ts';
import { matching } from '../request-form/options.ts';
import { blocksLength, context, NOTE_LENGTH, section } from '../text/blocks.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { clip, MESSAGE_BLOCKS_MAX, SECTION_TEXT_MAX } from '../text/limits.ts';
import { REFERENCE_LISTS, SUB_COMMAND_WORDS } from '../words/command.ts';
import { COMMAND, offerForm, type SubCommand } from './command.ts';

const NAME_CHARS = 150;
const ID_CHARS = 100;
const LISTS_CHARS = 300;
/** Nobody reads more: people search instead. */
const MOST_LISTED = 30;

type Named = { id: string; name: string };

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const nameOf = ({ name }: { name: string }) => escapeMrkdwn(clip(onOneLine(name), NAME_CHARS));
const idOf = ({ id }: Named) => `\`${escapeCode(clip(onOneLine(id), ID_CHARS))}\``;

type Listing<Item> = {
  heading: string;
  /** Shown if the list is empty. */
  none: string;
  /** Says that nothing matches, for a list that can be searched. Others are listed as far as they fit into a reply. */
  noMatch?: string;
  list(workspaceId: WorkspaceId): Promise<Item[]>;
  line(item: Item): string;
};

const headingOf = (heading: string, search: string) =>
  search === '' ? heading : REFERENCE_LISTS.matching(heading, nameOf({ name: search }));

function listing<Item extends Named>(
  name: 'types' | 'brands' | 'tags',
  { heading, none, noMatch, list, line }: Listing<Item>,
): SubCommand {
  async function run(command: Command, search: string): Promise<void> {
    const all = await list(command.workspaceId);
    if (all.length === 0) return command.reply(none);
    const exact = search === '' ? undefined : all.find(({ id }) => id === search);
    const items = exact ? [exact] : matching(all, search);
    if (items.length === 0 && noMatch) return offerForm(command, noMatch);
    const title = `${headingOf(heading, search)} (${items.length})`;
    const most = noMatch === undefined ? items.length : MOST_LISTED;
    const { blocks, left } = buildLines([`*${title}*`, ...items.slice(0, most).map(line)]);
    const notShown = Math.max(items.length - most, 0) + left;
    const more = noMatch && REFERENCE_LISTS.searchHere(`${COMMAND} ${name}`);
    const note = [REFERENCE_LISTS.moreNotShown(notShown), more].filter(Boolean).join(' ');
    return command.reply(title, notShown > 0 ? [...blocks, context(note)] : blocks);
  }
  return { name, ...SUB_COMMAND_WORDS[name], access: 'users', run };
}

export const createListCommands = (referenceLists: ReferenceLists): readonly SubCommand[] => [
  listing('types', {
    heading: REFERENCE_LISTS.types,
    none: REFERENCE_LISTS.noTypes,
    noMatch: REFERENCE_LISTS.noSuchType,
    list: (workspaceId) => referenceLists.requestTypes(workspaceId),
    line: (type) => {
      const products = type.products.length > 0 ? `: ${type.products.join(', ')}` : '';
      return `• ${nameOf(type)}${escapeMrkdwn(clip(onOneLine(products), LISTS_CHARS))}`;
    },
  }),
  listing('brands', {
    heading: REFERENCE_LISTS.brands,
    none: REFERENCE_LISTS.noBrands,
    noMatch: REFERENCE_LISTS.noSuchBrand,
    list: (workspaceId) => referenceLists.brands(workspaceId),
    line: (brand) => `• ${nameOf(brand)} ${idOf(brand)}`,
  }),
  listing('tags', {
    heading: REFERENCE_LISTS.tags,
    none: REFERENCE_LISTS.noTags,
    list: (workspaceId) => referenceLists.tags(workspaceId),
    line: (tag) => `• ${[statusEmoji(tag.color), nameOf(tag)].filter(Boolean).join(' ')}`,
  }),
];

const EMPTY_SECTION_LENGTH = blocksLength([section('')]);

/** The lines of mrkdwn, each at most SECTION_TEXT_MAX long, that fit into one message; `left` is how many don't. */
export function buildLines(lines: readonly string[]): { blocks: KnownBlock[]; left: number } {
  const sections: string[] = [];
  let room = MESSAGE_BLOCKS_MAX - NOTE_LENGTH;
  let shown = 0;
  for (const line of lines) {
    const last = sections.at(-1);
    const fitsLast = last !== undefined && last.length + 1 + line.length <= SECTION_TEXT_MAX;
    // The quotes in the JSON make up for the `\n` that joins two lines.
    room -= JSON.stringify(line).length + (fitsLast ? 0 : EMPTY_SECTION_LENGTH);
    if (room < 0) break;
    if (fitsLast) sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
    shown += 1;
  }
  return { blocks: sections.map(section), left: lines.length - shown };
}
