import { fileURLToPath } from 'node:url';

type PageFile = { body: string | Uint8Array; type: string };

/** By path, for example `/assets/index-abc.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const ROOT = fileURLToPath(new URL('../browser/', import.meta.url));
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** In `development`, React logs warnings about mistakes, and takes several times the time. */
export type PagesMode = 'production' | 'development';

/** Bundles the pages into memory; nothing is written to disk. */
export async function bundlePages(mode: PagesMode = 'production'): Promise<PageFiles> {
  // Vite is loaded only if pages are needed: it takes a tenth of a second.
  const { build } = await import('vite');
  // Vite decides by this, and Vitest sets it to `test`.
  process.env.NODE_ENV = mode;
  const built = await build({
    root: ROOT,
    base: '/',
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2023', modulePreload: false, reportCompressedSize: false },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return new Map(
    outputs.map((file) => {
      const extension = file.fileName.split('.').at(-1) ?? '';
      const body = file.type === 'chunk' ? file.code : file.source;
      return [`/${file.fileName}`, { body, type: TYPES[extension] ?? 'application/octet-stream' }];
    }),
  );
}
