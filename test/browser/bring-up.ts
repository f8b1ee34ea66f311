import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCacheEnv } from '../compile-cache.ts';
import { MAIN_ENTRY } from '../fresh-bundle.ts';
import { installApp } from '../sandbox/install-app.ts';
import type { PageFiles } from '../sandbox/pages/http/bundle.ts';
import { openPlace } from '../sandbox/place.ts';
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
  const place = await openPlace(stage, { port: 0, files: options.files });
  let app: AppProcess | undefined;
  return {
    stage,
    place,
    async startApp() {
      const env = {
        ...compileCacheEnv(),
        ...stage.environment(folder),
        ...(options.connected && !many ? { DESIGN_API_KEY: stage.service.apiKey } : {}),
      };
      app = await startAppProcess(env, { entry: MAIN_ENTRY });
      stage.connect(app.url);
      place.pages.app.attach(app);
      const { slack, acme: workspace, ada: admin } = stage;
      if (many) await installApp(slack, { appUrl: app.url, workspace, admin });
    },
    /** The second of many workspaces installs the app. */
    openSecondWorkspace: () => place.openSecondWorkspace(app?.url ?? ''),
    async close() {
      await app?.stop();
      await place.close();
      await stage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
