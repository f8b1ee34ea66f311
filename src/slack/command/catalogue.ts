import { workspaceOf } from '../listeners.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { buildLines } from './lines.ts';
import { forReaders, replyWith, type SubCommand } from './sub-command.ts';

/** Of a name and of an id, in characters. */
const NAME_SHOWN = 150;
const ID_SHOWN = 100;
const LISTS_SHOWN = 300;

type Named = { id: string; name: string };

const nameOf = ({ name }: Named) => escapeMrkdwn(clip(name, NAME_SHOWN));
const idOf = ({ id }: Named) => `\`${escapeCode(clip(id, ID_SHOWN))}\``;
const lineOf = (item: Named) => `• ${nameOf(item)} ${idOf(item)}`;

/** A heading and a line for each; where there are too many, says how many more there are. */
function listing(heading: string, none: string, lines: readonly string[]) {
  if (lines.length === 0) return { text: none };
  const { blocks, left } = buildLines([`*${heading}* (${lines.length})`, ...lines]);
  if (left > 0) {
    const text = `${left} more are not shown. In the form you can search them all.`;
    blocks.push({ type: 'context', elements: [{ type: 'mrkdwn', text }] });
  }
  return { text: `${heading} (${lines.length})`, blocks };
}

export const types: SubCommand = {
  name: 'types',
  summary: 'the request types of your design service',
  run: (deps, args) =>
    forReaders(deps, args, () =>
      replyWith(args, async () => {
        const all = await deps.catalogue.requestTypes(workspaceOf(args.context));
        const lines = all.map((type) => {
          const products = type.products.length > 0 ? `: ${type.products.join(', ')}` : '';
          return `• ${nameOf(type)}${escapeMrkdwn(clip(products, LISTS_SHOWN))}`;
        });
        return listing('Request types', 'Your design service lists no request types.', lines);
      }),
    ),
};

export const brands: SubCommand = {
  name: 'brands',
  usage: '[brand id]',
  summary: 'your brands, or one of them',
  run: (deps, args, rest) =>
    forReaders(deps, args, () =>
      replyWith(args, async () => {
        const workspaceId = workspaceOf(args.context);
        if (rest !== '') {
          const brand = await deps.service.call(workspaceId, (api) => api.getBrand(rest));
          return { text: lineOf(brand) };
        }
        const all = await deps.catalogue.brands(workspaceId);
        return listing('Brands', 'Your design service lists no brands.', all.map(lineOf));
      }),
    ),
};

export const tags: SubCommand = {
  name: 'tags',
  summary: 'the tags of your design service',
  run: (deps, args) =>
    forReaders(deps, args, () =>
      replyWith(args, async () => {
        const all = await deps.catalogue.tags(workspaceOf(args.context));
        const lines = all.map((tag) => `• ${nameOf(tag)}`);
        return listing('Tags', 'Your design service lists no tags.', lines);
      }),
    ),
};
