import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { readArguments } from '../../src/commands/read-arguments.ts';
import buildIfStale from '../fresh-bundle.ts';
import { bundlePages } from '../sandbox/pages/http/bundle.ts';
import { bringUp } from './bring-up.ts';
import { startChromium } from './chromium.ts';
import { PICTURES, type Picture, SHOWN_KEY, tidy } from './pictures.ts';
import { modalOf } from './slack-page.ts';
import { SURFACE_PICTURES } from './surface-pictures.ts';

const USAGE = `npm run tool -- screenshots [--every FOLDER [--kind phone-light]]

Takes the pictures of the README and of the docs.

  --every  each of them and every other surface in both color schemes, on a laptop and on a phone, for checking design
           changes; index.html in the folder shows them side by side
  --kind   only one of the four: laptop-light, laptop-dark, phone-light, phone-dark`;

const SIZES = {
  laptop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  /** Of which the documentation shows the part that matters. */
  docs: { width: 1140, height: 1000 },
};
const SCHEMES = ['light', 'dark'] as const;
const DOCS = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** Text that differs from run to run, and what every picture shows instead. */
const VARYING: [RegExp, string][] = [
  [/\b\d{1,2}:\d{2} [AP]M\b/g, '9:41 AM'],
  [/\b\d{2}:\d{2}:\d{2}\.\d{3}\b/g, '09:41:07.120'],
  [/\bDR-[0-9A-Z]{8}\b/g, 'DR-4T7KQ2MX'],
  [/\b[A-Z][a-z]{2} \d{1,2}, \d{4}\b/g, 'Mar 20, 2026'],
  [/\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?/g, '2026-03-20'],
  [/\bdsk_[\w-]+/g, SHOWN_KEY],
  [/\b\d+ ms\b/g, '12 ms'],
  [/\bresets in \d+ s\b/g, 'resets in 48 s'],
];

async function steady(page: Page): Promise<void> {
  await page.evaluate(
    (varying) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const [source, flags, text] of varying) {
          const said = node.textContent ?? '';
          const steadied = said.replace(new RegExp(source, flags), text);
          if (steadied !== said) node.textContent = steadied;
        }
      }
      // As long as a short wait.
      for (const bar of document.querySelectorAll<HTMLElement>('.wait-bar')) {
        bar.style.inlineSize = '3px';
      }
    },
    VARYING.map(([pattern, text]) => [pattern.source, pattern.flags, text] as const),
  );
}

/** Shows all of a modal, for those who look at pictures instead of scrolling. */
async function unroll(page: Page): Promise<void> {
  const modal = modalOf(page);
  if ((await modal.count()) !== 1) return;
  const height = await modal.evaluate((box) => {
    box.style.maxBlockSize = 'none';
    return box.scrollHeight;
  });
  const { width, height: shown } = page.viewportSize() ?? SIZES.laptop;
  await page.setViewportSize({ width, height: Math.max(shown, Math.ceil(height) + 2 * MARGIN) });
}

const MARGIN = 20;
const PATIENCE_MS = 15_000;

const { every, kind: only } = readArguments(USAGE, {
  every: { type: 'string' },
  kind: { type: 'string' },
}).values;
buildIfStale();
const browser = await startChromium();
const files = bundlePages();
const kinds = every
  ? (['laptop', 'phone'] as const)
      .flatMap((size) => SCHEMES.map((scheme) => ({ size, scheme })))
      .filter(({ size, scheme }) => (only ?? `${size}-${scheme}`) === `${size}-${scheme}`)
  : [{ size: 'docs' as const, scheme: 'light' as const }];
type Kind = (typeof kinds)[number];

async function take(pictures: readonly Picture[], { size, scheme }: Kind): Promise<void> {
  const folder = every ? join(every, `${size}-${scheme}`) : DOCS;
  mkdirSync(folder, { recursive: true });
  const sandbox = await bringUp({ connected: false, many: false, files });
  await sandbox.startApp();
  const context = await browser.newContext({
    baseURL: sandbox.pages.url,
    viewport: SIZES[size],
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    tidy(sandbox);
    for (const { name, show, crop } of pictures) {
      const page = await context.newPage();
      const path = join(folder, `${name}.png`);
      // The others are still worth looking at.
      await show(page, sandbox).catch((error: unknown) => {
        process.exitCode = 1;
        process.stdout.write(`${path}: ${error}\n`);
      });
      // The pointer is over nothing.
      await page.mouse.move(0, 0);
      await steady(page);
      if (every) await unroll(page);
      const clip = every ? undefined : await crop?.(page);
      await page.screenshot({ path, caret: 'hide', ...(clip ? { clip } : {}) });
      process.stdout.write(`${path}\n`);
      await page.close();
    }
  } finally {
    await context.close();
    await sandbox.close();
  }
}

for (const kind of kinds) {
  await take(every ? PICTURES : PICTURES.filter(({ crop }) => crop), kind);
  if (every) await take(SURFACE_PICTURES, kind);
}
if (every) {
  const rows = [...PICTURES, ...SURFACE_PICTURES].map(({ name }) => {
    const shown = kinds.map(({ size, scheme }) => `<img src="${size}-${scheme}/${name}.png">`);
    return `<h2>${name}</h2>${shown.join('\n')}`;
  });
  const style = '<style>img { max-width: 49%; vertical-align: top }</style>';
  writeFileSync(join(every, 'index.html'), `<!doctype html>${style}${rows.join('\n')}`);
}
await browser.close();
