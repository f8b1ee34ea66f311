import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { bundlePages, type PageFiles } from '../../src/sandbox/pages/http/bundle.ts';
import { openPlace, type Place } from '../../src/sandbox/place.ts';
import { openStage, type Stage } from '../../src/sandbox/stage.ts';
import { type AppProcess, startAppProcess } from '../../src/sandbox/start-app-process.ts';
import { startChromium } from './chromium.ts';

/** The sandbox as `npm run sandbox` brings it up, without the walk, and a browser before it. */
export type Sandbox = Stage & {
  place: Place;
  /** A new window, by default that of Ann in #general. */
  open(path?: string): Promise<Page>;
  /** The window of somebody by their name, in a channel by its name. */
  openAs(name: string, channel?: string): Promise<Page>;
  /** Starts the app where it does not run from the start. */
  startApp(): Promise<void>;
  /** Brings up the second workspace's app; resolves when the page shows it. */
  openSecondWorkspace(): Promise<void>;
};

type Options = {
  /** Whether the service's key is connected from the start; true by default. */
  connected?: boolean;
  /** Whether the app runs from the start; true by default. */
  appRuns?: boolean;
  context?: BrowserContextOptions;
};

let browser: Browser | undefined;
let files: Promise<PageFiles> | undefined;

/** Starts one browser, and bundles the pages once, for the tests of this file. */
export function withBrowser(): void {
  beforeAll(async () => {
    files = bundlePages();
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
}

const LAPTOP = { width: 1280, height: 800 };

/** Ends with the test, which fails where a page had anything to complain about. */
export async function openSandbox(options: Options = {}): Promise<Sandbox> {
  const { connected = true, appRuns = true, context: given } = options;
  if (!browser) throw new Error('There is no browser: call withBrowser() first.');
  const folder = await mkdtemp(join(tmpdir(), 'design-request-browser-'));
  const stage = await openStage();
  const place = await openPlace(stage, { port: 0, ...(files ? { files } : {}) });
  let app: AppProcess | undefined;
  async function startApp() {
    app = await startAppProcess({
      ...stage.environment(folder),
      ...(connected ? { DESIGN_API_KEY: stage.service.apiKey } : {}),
    });
    stage.slack.connect(`${app.url}/slack/events`);
    place.pages.app.attach(app);
  }
  if (appRuns) await startApp();
  const context = await browser.newContext({ viewport: LAPTOP, ...given });
  const complaints: string[] = [];
  const ending = new AbortController();
  let second = Promise.resolve();

  async function open(path = '/') {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(place.pages.url + path);
    return page;
  }

  onTestFinished(async () => {
    await context.close();
    ending.abort();
    await second;
    await app?.stop();
    await place.close();
    await stage.close();
    await rm(folder, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  return {
    ...stage,
    place,
    startApp,
    open,
    async openAs(name, channel) {
      const { users, channels } = stage.slack.state;
      const user = [...users.values()].find(({ realName }) => realName === name);
      const where = [...channels.values()].find((one) => one.name === channel);
      return open(`/?as=${user?.id}${where ? `&at=${where.id}` : ''}`);
    },
    async openSecondWorkspace() {
      second = place.openSecondWorkspace(ending.signal);
      await stage.slack.until(
        () => stage.slack.apiCalls.filter(({ method }) => method === 'auth.test').length > 1,
        'the second app',
        30_000,
      );
    },
  };
}

/** Fails where axe finds anything on the page that keeps people from using it. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`),
  }));
  expect(found).toEqual([]);
}
