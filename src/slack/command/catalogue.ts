import type { KnownBlock } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { DesignApiError } from '../../service/errors.ts';
import { type CommandArgs, workspaceOf } from '../listener/replies.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { offerForm } from './help.ts';
import { buildLines, noteBlock } from './lines.ts';
import { type CommandDeps, nothing, reply, replyWith, type SubCommand } from './sub-command.ts';

/** Of a name, of an id and of a list of names, in characters. */
const NAME_SHOWN = 150;
const ID_SHOWN = 100;
const LISTS_SHOWN = 300;
/** A person is waiting: retries included, the service has this long to answer, in ms. */
const ANSWER_WITHIN_MS = 10_000;

type Named = { id: string; name: string };

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const nameOf = ({ name }: { name: string }) => escapeMrkdwn(clip(onOneLine(name), NAME_SHOWN));
const idOf = ({ id }: Named) => `\`${escapeCode(clip(onOneLine(id), ID_SHOWN))}\``;
const lineOf = (item: Named) => `• ${nameOf(item)} ${idOf(item)}`;

/** A list of the service's, as it is shown. */
type Listing<Item> = {
  heading: string;
  /** What is said where the service lists nothing. */
  none: string;
  /** What else may be said of those that do not fit into a reply. */
  more?: string;
  list(deps: CommandDeps, workspaceId: WorkspaceId): Promise<Item[]>;
  line(item: Item): string;
};

function listAll<Item>(deps: CommandDeps, args: CommandArgs, listing: Listing<Item>) {
  const { heading, none, more = '', list, line } = listing;
  return replyWith(
    args,
    () => list(deps, workspaceOf(args.context)),
    async (items) => {
      if (items.length === 0) return reply(args, none);
      const title = `${heading} (${items.length})`;
      const { blocks, left } = buildLines([`*${title}*`, ...items.map(line)]);
      const note = `${left} more are not shown.${more}`;
      const rest: KnownBlock[] = left > 0 ? [noteBlock(note)] : [];
      return reply(args, title, [...blocks, ...rest]);
    },
  );
}

const SEARCHABLE = ' In the form you can search them all.';

export const types: SubCommand = {
  name: 'types',
  summary: 'the request types of your design service',
  access: 'users',
  takes: nothing,
  run: (deps, args) =>
    listAll(deps, args, {
      heading: 'Request types',
      none: 'Your design service lists no request types.',
      more: SEARCHABLE,
      list: ({ catalogue }, workspaceId) => catalogue.requestTypes(workspaceId),
      line: (type) => {
        const products = type.products.length > 0 ? `: ${type.products.join(', ')}` : '';
        return `• ${nameOf(type)}${escapeMrkdwn(clip(onOneLine(products), LISTS_SHOWN))}`;
      },
    }),
};

export const brands: SubCommand = {
  name: 'brands',
  usage: '[brand id]',
  summary: 'your brands, or one of them',
  access: 'users',
  takes: (rest) => !/\s/.test(rest),
  run: (deps, args, rest) => {
    if (rest !== '') return showBrand(deps, args, rest);
    return listAll(deps, args, {
      heading: 'Brands',
      none: 'Your design service lists no brands.',
      more: SEARCHABLE,
      list: ({ catalogue }, workspaceId) => catalogue.brands(workspaceId),
      line: lineOf,
    });
  },
};

function showBrand({ service }: CommandDeps, args: CommandArgs, brandId: string): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const read = async () => {
    try {
      return await service.call(workspaceOf(args.context), (api) =>
        api.getBrand(brandId, { signal }),
      );
    } catch (error) {
      if (error instanceof DesignApiError && error.code === 'not_found') return undefined;
      throw error;
    }
  };
  return replyWith(args, read, (brand) =>
    brand
      ? reply(args, nameOf(brand), buildLines([lineOf(brand)]).blocks)
      : offerForm(args, NO_SUCH_BRAND),
  );
}

const NO_SUCH_BRAND =
  'Your design service knows no brand under that id. `/design-request brands` lists them.';

export const tags: SubCommand = {
  name: 'tags',
  summary: 'the tags of your design service',
  access: 'users',
  takes: nothing,
  run: (deps, args) =>
    listAll(deps, args, {
      heading: 'Tags',
      none: 'Your design service lists no tags.',
      list: ({ catalogue }, workspaceId) => catalogue.tags(workspaceId),
      line: (tag) => `• ${nameOf(tag)}`,
    }),
};
