import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { populate } from './pages/populate.ts';
import { type Pages, type PagesOptions, startPages } from './pages/server.ts';
import type { Stage } from './stage.ts';
import { type AppProcess, startAppProcess } from './start-app-process.ts';

/** The stage with people and places in it, and the pages in which one walks about. */
export type Place = {
  pages: Pages;
  /**
   * Gives the second workspace an app of its own. Resolves when the signal ends it; rejects where
   * that app ends, which nobody asked it to.
   */
  openSecondWorkspace(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

export async function openPlace(stage: Stage, options: PagesOptions = {}): Promise<Place> {
  const { globex } = populate(stage);
  const pages = await startPages(stage, options);
  let app: AppProcess | undefined;
  let folder: string | undefined;

  return {
    pages,
    async openSecondWorkspace(signal) {
      await open(signal).catch((error: unknown) => {
        // Whoever ends the sandbox need not wait for the second workspace first.
        if (!signal.aborted) throw error;
      });
    },
    async close() {
      await pages.close();
      await app?.stop();
      if (folder) await rm(folder, { recursive: true, force: true });
    },
  };

  async function open(signal: AbortSignal): Promise<void> {
    folder = await mkdtemp(join(tmpdir(), 'design-request-sandbox-'));
    // One process serves one workspace, so the second has its own; until it is ready, nobody answers.
    stage.slack.connect('', globex);
    const environment = { ...stage.environment(folder), SLACK_BOT_TOKEN: globex.install() };
    app = await startAppProcess(environment, { signal });
    stage.slack.connect(`${app.url}/slack/events`, globex);
    pages.app.attach(app);
    await Promise.race([
      once(signal, 'abort'),
      app.ended.then((how) => Promise.reject(new Error(`The app of Globex ended: ${how}.`))),
    ]);
  }
}
