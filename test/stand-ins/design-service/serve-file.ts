import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { Cards } from './cards.ts';
import { addressOf } from './downloads.ts';
import { landscapePng } from './png.ts';
import type { CardFile } from './resources.ts';
import type { ServiceState } from './service-state.ts';

/** Beside the API, not under its base path: files are loaded without a key. */
export const FILES_PATH = '/files';

/** What is shown of downloaded files; anything else is only saved. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

const IMAGE_EXTENSIONS = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp']);

/** Widths in pixels; the aspect ratio is 16:9. */
const WIDTHS: Record<string, number> = { full: 960, large: 640, medium: 320, small: 160 };

export function serveFile(
  { cards, downloads }: Pick<ServiceState, 'cards' | 'downloads'>,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const [path = '', query = ''] = (req.url ?? '').split('?');
  const file = findFile(cards, path);
  if (!file || (req.method !== 'GET' && req.method !== 'HEAD')) {
    res.writeHead(file ? 405 : 404, { 'Content-Type': 'text/plain' }).end('No such file.\n');
    return;
  }
  const downloaded = downloads.contentOf(file.id);
  if (downloaded) {
    const { content, type } = downloaded;
    const isPicture = PICTURES.has(type);
    const served = isPicture ? type : 'application/octet-stream';
    res.writeHead(200, { 'Content-Type': served, 'X-Content-Type-Options': 'nosniff' });
    res.end(content);
    return;
  }
  if (!IMAGE_EXTENSIONS.has(file.ext.toLowerCase())) {
    res.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(`${file.name}\n`);
    return;
  }
  const width = WIDTHS[new URLSearchParams(query).get('size') ?? 'full'] ?? 960;
  const picture = landscapePng(file.name, width, Math.round((width * 9) / 16));
  res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': picture.length });
  res.end(picture);
}

function findFile(cards: Cards, path: string): CardFile | undefined {
  const encodedId = path.slice(FILES_PATH.length + 1).split('/')[0] ?? '';
  return cards
    .all()
    .flatMap((card) => card.files)
    .find((file) => encodeURIComponent(file.id) === encodedId);
}

export type FileFields = Partial<CardFile> & { name: string };

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

/** Each has the element's name, or the last part of its address. */
export function copiesOf(elements: unknown[], type: string, filesUrl: string): CardFile[] {
  return elements.map((element, index) =>
    fileOf({ name: nameOf(element) ?? `${type}-${index + 1}`, type }, filesUrl),
  );
}

function nameOf(element: unknown): string | undefined {
  const { name } = Object(element);
  if (typeof name === 'string') return name || undefined;
  return addressOf(element)?.split(/[?#]/)[0]?.split('/').at(-1) || undefined;
}
