import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import type { CardFile } from './resources.ts';

/** A file to add to a card; missing fields are filled in. */
export type FileFields = Partial<CardFile> & { name: string };

/** Completes a file. `filesUrl` is the URL under which this service serves files. */
export function fileOf(fields: FileFields, filesUrl: string): CardFile {
  const id = fields.id ?? `file-${randomUUID()}`;
  const full = `${filesUrl}/${encodeURIComponent(id)}/${encodeURIComponent(fields.name)}`;
  return {
    ext: extname(fields.name).slice(1),
    type: 'design',
    urls: {
      full,
      large: `${full}?size=large&class=`,
      medium: `${full}?size=medium&class=`,
      small: `${full}?size=small&class=`,
    },
    ...fields,
    id,
  };
}

/**
 * The files of a create call as the service would copy them: api.md doesn't show their shape, so a URL, or an
 * object with a name or a URL, gives a file of that name.
 */
export function copiesOf(elements: unknown[], type: string, filesUrl: string): CardFile[] {
  return elements.map((element, index) =>
    fileOf({ name: nameOf(element) ?? `${type}-${index + 1}`, type }, filesUrl),
  );
}

function nameOf(element: unknown): string | undefined {
  if (typeof element === 'string') return lastSegment(element);
  if (typeof element !== 'object' || element === null) return undefined;
  if ('name' in element && typeof element.name === 'string') return element.name || undefined;
  if ('url' in element && typeof element.url === 'string') return lastSegment(element.url);
  return undefined;
}

function lastSegment(address: string): string | undefined {
  return address.split(/[?#]/)[0]?.split('/').at(-1) || undefined;
}
