import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { bundlePages, type PageFiles, type PagesMode } from '../sandbox/pages/http/bundle.ts';
import { bringUp } from './bring-up.ts';
import { startChromium } from './chromium.ts';

/** The sandbox, and a browser to use it. */
export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

type Options = {
  /** Whether a key is connected from the start; true by default. */
  connected?: boolean;
  /** Whether the app serves many workspaces, each of which connects its key; false by default. */
  many?: boolean;
  /** Whether the app runs from the start; true by default. */
  appRuns?: boolean;
  /** `production` by default, as people get them. */
  pages?: PagesMode;
  context?: BrowserContextOptions;
};

export const LAPTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** One browser, and one bundle of the pages, for all tests of this process. Playwright ends the browser with it. */
let browser: Promise<Browser> | undefined;
const bundled: Partial<Record<PagesMode, Promise<PageFiles>>> = {};

/** Ends with the test, which fails if a page logged a warning or an error. */
export async function openSandbox(options: Options = {}) {
  const { connected = true, many = false, appRuns = true, context: given } = options;
  const { pages = 'production' } = options;
  browser ??= startChromium();
  const chromium = await browser;
  bundled[pages] ??= bundlePages(pages);
  const files = bundled[pages];
  const sandbox = await bringUp({ connected, many, files });
  const baseURL = sandbox.pages.url;
  const windows: BrowserContext[] = [];
  const complaints: string[] = [];
  onTestFinished(async () => {
    await Promise.all(windows.map((one) => one.close()));
    await sandbox.close();
    expect(complaints).toEqual([]);
  });
  if (appRuns) await sandbox.startApp();

  /** A new window, by default Ann's in #general. */
  async function open(path = '/') {
    // Chromium draws a page that is behind another in its window once a second, and each click waits to see it drawn.
    const window = await chromium.newContext({ baseURL, viewport: LAPTOP, ...given });
    windows.push(window);
    const page = await window.newPage();
    page.on('console', (message) => {
      const isComplaint = message.type() === 'error' || message.type() === 'warning';
      if (isComplaint) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(path);
    return page;
  }

  /** The window of a person in a channel, both by name. */
  async function openAs(name: string, channel?: string) {
    const { users, channels } = sandbox.slack.state;
    const user = [...users.values()].find(({ realName }) => realName === name);
    const where = [...channels.values()].find((one) => one.name === channel);
    return open(`/?as=${user?.id}${where ? `&at=${where.id}` : ''}`);
  }

  return { ...sandbox, open, openAs };
}

/** A test with a sandbox of its own, a window of Ann's in #general, and one with the dashboard. */
export const it = test
  .extend('sandbox', () => openSandbox())
  .extend('page', ({ sandbox }) => sandbox.open())
  .extend('dashboard', ({ sandbox }) => sandbox.open('/dashboard'));

/** Such a sandbox, and a window of Ann's in #general. */
export async function openPage(options: Options = {}) {
  const sandbox = await openSandbox(options);
  return { sandbox, page: await sandbox.open() };
}

/** Fails if the page is wider than its window. */
export async function expectToFit(page: Page): Promise<void> {
  const [wide, seen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(wide).toBe(seen);
}

declare const window: Window & { axe: typeof axe };

// It asks the axe of each frame for its part, also in the frame of the embed, whose origin is unknown.
const AXE = `${readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')};
  axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] });`;

/** Fails if axe finds anything on the page that excludes people. */
export async function expectAccessible(page: Page): Promise<void> {
  // Loading it takes longer than a check.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`),
  }));
  expect(found).toEqual([]);
}
