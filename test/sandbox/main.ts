import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { exitWithUsage, readArguments } from '../../src/commands/read-arguments.ts';
import { whenParentEnds } from '../../src/ops/process.ts';
import { compileCacheEnv } from '../compile-cache.ts';
import { addressesAsLines } from './addresses.ts';
import { installApp } from './install-app.ts';
import type { Pages } from './pages/server.ts';
import { openStage, type Stage } from './stage.ts';
import { AppNotReadyError, type AppProcess, startAppProcess } from './start-app-process.ts';
import { createScene, inMs } from './walk/scene.ts';
import { walk } from './walk/walk.ts';

const USAGE = `npm run sandbox [-- --exit]

  Runs Design Request between a stand-in Slack and a stand-in design service,
  makes one request, and keeps running until Ctrl-C, with pages where you can
  use the app in your browser.

  --exit   end after that request, without the pages
  --help   show this help`;
/** The exit code that shells use after Ctrl-C. */
const INTERRUPTED = 130;
const LOG_LINES_SHOWN = 12;

if (process.argv.some((argument) => /^--?host(=|$)/.test(argument))) {
  exitWithUsage(USAGE, 'The sandbox listens on 127.0.0.1 only; there is no --host.');
}
const { exit: exitAfterWalk = false } = readArguments(USAGE, { exit: { type: 'boolean' } }).values;

// The app inherits it; some don't let the owner write.
process.umask(0o077);

const { stdout } = process;
const print = (lines: string | readonly string[]) => {
  for (const line of [lines].flat()) stdout.write(`${line}\n`);
};

// Ctrl-C, SIGTERM, a closed terminal, npm that is gone, or a closed pipe (`| head`).
const asked = new AbortController();
const end = () => asked.abort();
process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);
whenParentEnds(end);
stdout.on('error', end);
const { signal } = asked;

process.exit(await runSandbox());

/** @returns the exit code */
async function runSandbox(): Promise<number> {
  const running: Running = { closing: [], app: undefined };
  try {
    await bringUp(running);
    return 0;
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    const { message } = error instanceof Error ? error : { message: String(error) };
    const log = (error instanceof AppNotReadyError ? error : running.app)?.logLines ?? [];
    print(['', styleText('bold', `✗ ${message}`)]);
    if (log.length > 0) print(["The app's last log lines:", ...log.slice(-LOG_LINES_SHOWN)]);
    return 1;
  } finally {
    if (signal.aborted) print(['', 'Ending …']);
    for (const close of running.closing) await close();
  }
}

type Running = {
  /** Ends everything that runs, in this order. */
  closing: (() => Promise<void>)[];
  app: AppProcess | undefined;
};

/** Starts everything, runs the walk, and keeps running until asked to end, or ends after the walk. */
async function bringUp(running: Running): Promise<void> {
  const { closing } = running;
  print([
    styleText('bold', 'Design Request for Slack: the sandbox'),
    'The app, unchanged, between a stand-in Slack and a stand-in design service.',
    'Nothing leaves this machine.',
    '',
  ]);
  const stage = await openStage({ many: true });
  closing.unshift(stage.close);
  print([
    `Slack stand-in     ${stage.slack.apiUrl}`,
    `Design service     ${stage.service.url}`,
    'The app            starting …',
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'design-request-sandbox-'));
  closing.unshift(() => rm(folder, { recursive: true, force: true }));
  const started = performance.now();
  const env = { ...compileCacheEnv(), ...stage.environment(folder) };
  const starting = startAppProcess(env, { signal });
  closing.unshift(async () => (await starting.catch(() => undefined))?.stop());
  // While the app starts. A run that ends after the walk needs no pages, so it doesn't load them.
  const pages = exitAfterWalk ? undefined : await startPagesBeside(starting, stage);
  if (pages) {
    closing.unshift(pages.close);
    print(`The pages          ${styleText('bold', pages.url)} (open it in your browser)`);
  }
  const app = await starting;
  running.app = app;
  stage.connect(app.url);
  pages?.app.attach(app);
  print(`The app            ${app.url}, ready after ${inMs(performance.now() - started)}`);

  const { acme, ada } = stage;
  await installApp(stage.slack, { appUrl: app.url, workspace: acme, admin: ada });
  print('Installed          in Acme: Ada pressed Add to Slack and Allow');

  const scene = createScene(stage, print);
  const cardId = await Promise.race([walk(scene), endOf(app), interrupted()]);
  if (!pages) return;
  const addresses = { appUrl: app.url, pagesUrl: pages.url, cardId };
  print(['', ...addressesAsLines(stage, addresses)]);
  await pages.prepare();
  await openSecondWorkspace(pages, app);
  await Promise.race([askedToEnd(), endOf(app)]);
}

/** Doesn't delay the end of the sandbox. */
async function openSecondWorkspace(pages: Pages, app: AppProcess): Promise<void> {
  try {
    await pages.openSecondWorkspace(app.url);
    print(['', 'Globex has the app now too. Its key is in the dashboard.']);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Loads the pages while the app starts; whether that succeeds is handled elsewhere. */
async function startPagesBeside(starting: Promise<unknown>, stage: Stage): Promise<Pages> {
  starting.catch(() => undefined);
  const { startPages } = await import('./pages/server.ts');
  return startPages(stage);
}

/** @throws when the app ends without having been asked to */
async function endOf(app: AppProcess): Promise<never> {
  throw new Error(`The app ended: ${await app.ended}.`);
}

async function askedToEnd(): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

async function interrupted(): Promise<never> {
  await askedToEnd();
  throw signal.reason;
}
