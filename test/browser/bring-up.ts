import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCacheEnv } from '../compile-cache.ts';
import { CLOCK_ENTRY } from '../faults/app-process.ts';
import { installApp } from '../sandbox/install-app.ts';
import type { PageFiles } from '../sandbox/pages/http/bundle.ts';
import { startPages } from '../sandbox/pages/server.ts';
import { openStage } from '../sandbox/stage.ts';
import { type AppProcess, startAppProcess } from '../sandbox/start-app-process.ts';

/**
 * The sandbox without the walk and the terminal, for one workspace, or as `npm run sandbox` starts it: for many,
 * each of which installs the app.
 */
export type BroughtUp = Awaited<ReturnType<typeof bringUp>>;

/**
 * Starts everything except the app.
 *
 * @param options.connected whether a key is connected from the start; with many workspaces, each connects its own
 */
export async function bringUp(options: {
  connected: boolean;
  many: boolean;
  files: Promise<PageFiles>;
}) {
  const folder = await mkdtemp(join(tmpdir(), 'design-request-browser-'));
  const { many } = options;
  const stage = await openStage({ many });
  const pages = await startPages(stage, { port: 0, files: options.files });
  let app: AppProcess | undefined;
  return {
    ...stage,
    pages,
    async startApp() {
      const env = {
        ...compileCacheEnv(),
        ...stage.environment(folder),
        ...(options.connected && !many ? { DESIGN_API_KEY: stage.service.apiKey } : {}),
      };
      app = await startAppProcess(env, { entry: CLOCK_ENTRY });
      stage.connect(app.url);
      pages.app.attach(app);
      const { slack, acme: workspace, ada: admin } = stage;
      if (many) await installApp(slack, { appUrl: app.url, workspace, admin });
    },
    /** From now on, the app's clock is this far ahead. */
    setClockOffset: (ms: number) => app?.setClockOffset(ms),
    /** The second of many workspaces installs the app. */
    openSecondWorkspace: () => pages.openSecondWorkspace(app?.url ?? ''),
    async close() {
      await app?.stop();
      await pages.close();
      await stage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
