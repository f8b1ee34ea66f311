import type { KnownBlock } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { ReferenceLists } from '../../service/cache/reference-lists.ts';
import { statusEmoji } from '../card/card-text.ts';
import { matching } from '../request-form/options.ts';
import type { AccessControl } from '../surface/access.ts';
import { type CommandArgs, replyToCommand, workspaceOf } from '../surface/replies.ts';
import { blocksLength, context, NOTE_LENGTH, section } from '../text/blocks.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { clip, MESSAGE_BLOCKS_MAX, SECTION_TEXT_MAX } from '../text/limits.ts';
import { REFERENCE_LISTS, SUB_COMMAND_WORDS } from '../words/command.ts';
import { offerForm, replyWith, type SubCommand } from './sub-command.ts';

const NAME_CHARS = 150;
const ID_CHARS = 100;
const LISTS_CHARS = 300;
/** Nobody reads more: people search instead. */
const MOST_LISTED = 30;

type Named = { id: string; name: string };

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const nameOf = ({ name }: { name: string }) => escapeMrkdwn(clip(onOneLine(name), NAME_CHARS));
const idOf = ({ id }: Named) => `\`${escapeCode(clip(onOneLine(id), ID_CHARS))}\``;
const lineOf = (item: Named) => `• ${nameOf(item)} ${idOf(item)}`;

/** How to show one of the service's lists. */
type Listing<Item> = {
  heading: string;
  /** Shown if the list is empty. */
  none: string;
  /** How to find what isn't listed. If undefined, everything that fits into a reply is listed. */
  more?: string;
  /** Shows only what matches this; empty for everything. */
  search?: string;
  /** Says that nothing matches. */
  noMatch?: string;
  list(workspaceId: WorkspaceId): Promise<Item[]>;
  line(item: Item): string;
};

/** The one with this ID, otherwise those that match. */
function searched<Item extends Named>(items: readonly Item[], search: string): Item[] {
  const exact = items.find(({ id }) => id === search);
  return exact ? [exact] : matching(items, search);
}

function listAll<Item extends Named>(
  access: AccessControl,
  args: CommandArgs,
  listing: Listing<Item>,
) {
  const { heading, none, more, list, line, search = '', noMatch } = listing;
  return replyWith(
    access,
    args,
    () => list(workspaceOf(args.context)),
    async (all) => {
      if (all.length === 0) return replyToCommand(args, none);
      const items = search === '' ? all : searched(all, search);
      if (items.length === 0 && noMatch) return offerForm(args, noMatch);
      const found =
        search === '' ? heading : REFERENCE_LISTS.matching(heading, nameOf({ name: search }));
      const title = `${found} (${items.length})`;
      const listed = more === undefined ? items : items.slice(0, MOST_LISTED);
      const fitting = buildLines([`*${title}*`, ...listed.map(line)]);
      const left = items.length - listed.length + fitting.left;
      const note = [REFERENCE_LISTS.moreNotShown(left), more].filter(Boolean).join(' ');
      const rest: KnownBlock[] = left > 0 ? [context(note)] : [];
      return replyToCommand(args, title, [...fitting.blocks, ...rest]);
    },
  );
}

type ListCommandsDeps = {
  referenceLists: ReferenceLists;
  access: AccessControl;
};

/** The subcommands that list what the service offers. */
export const createListCommands = (deps: ListCommandsDeps): readonly SubCommand[] => [
  {
    name: 'types',
    ...SUB_COMMAND_WORDS.types,
    access: 'users',
    run: (args, search) =>
      listAll(deps.access, args, {
        search,
        noMatch: REFERENCE_LISTS.noSuchType,
        heading: REFERENCE_LISTS.types,
        none: REFERENCE_LISTS.noTypes,
        more: REFERENCE_LISTS.searchHere('/design-request types'),
        list: (workspaceId) => deps.referenceLists.requestTypes(workspaceId),
        line: (type) => {
          const products = type.products.length > 0 ? `: ${type.products.join(', ')}` : '';
          return `• ${nameOf(type)}${escapeMrkdwn(clip(onOneLine(products), LISTS_CHARS))}`;
        },
      }),
  },
  {
    name: 'brands',
    ...SUB_COMMAND_WORDS.brands,
    access: 'users',
    run: (args, search) =>
      listAll(deps.access, args, {
        search,
        noMatch: REFERENCE_LISTS.noSuchBrand,
        heading: REFERENCE_LISTS.brands,
        none: REFERENCE_LISTS.noBrands,
        more: REFERENCE_LISTS.searchHere('/design-request brands'),
        list: (workspaceId) => deps.referenceLists.brands(workspaceId),
        line: lineOf,
      }),
  },
  {
    name: 'tags',
    ...SUB_COMMAND_WORDS.tags,
    access: 'users',
    run: (args) =>
      listAll(deps.access, args, {
        heading: REFERENCE_LISTS.tags,
        none: REFERENCE_LISTS.noTags,
        list: (workspaceId) => deps.referenceLists.tags(workspaceId),
        line: (tag) => `• ${[statusEmoji(tag.color), nameOf(tag)].filter(Boolean).join(' ')}`,
      }),
  },
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
