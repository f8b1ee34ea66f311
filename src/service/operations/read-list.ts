import { dataOf, type Resource } from '../http/call.ts';
import { isObject, type JsonObject, readId, readLabel, readLabels } from './loose-values.ts';

// The sections are those of the service's API reference.

/** 2.7. `id` is for `NewCard.typeId`. */
export type RequestType = {
  id: string;
  name: string;
  products: string[];
  formats: string[];
  softwares: string[];
};

/** 2.6. A brand without a name has its ID as its name. */
export type Brand = { id: string; name: string };

/** 2.5, with the color of its background, whose format isn't documented. */
type Tag = { id: string; name: string; color?: string | undefined };

export const REQUEST_TYPES = listResource<RequestType>(
  'listRequestTypes',
  'card-types',
  (item, named) => ({
    ...named,
    products: readLabels(item.products),
    formats: readLabels(item.formats),
    softwares: readLabels(item.softwares),
  }),
);

export const BRANDS = listResource<Brand>('listBrands', 'brands', (_item, named) => named);

export const TAGS = listResource<Tag>('listTags', 'tags', (item, named) => ({
  ...named,
  color: readLabel(item.bg_color),
}));

/** Without entries that have no ID, or one that occurred before. Without a name, people see the ID. */
function listResource<Item>(
  operation: string,
  path: string,
  readItem: (item: JsonObject, named: { id: string; name: string }) => Item,
): Resource<Item[]> {
  function parse(body: unknown): Item[] | undefined {
    const data = dataOf(body);
    if (!Array.isArray(data)) return undefined;
    const byId = new Map<string, Item>();
    for (const item of data.filter(isObject)) {
      const id = readId(item.id);
      if (id === undefined || byId.has(id)) continue;
      byId.set(id, readItem(item, { id, name: readLabel(item.name) ?? id }));
    }
    return [...byId.values()];
  }
  return { operation, path: [path], exists: true, parse };
}
