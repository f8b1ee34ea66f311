import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageFiles } from '../../src/sandbox/pages/http/bundle.ts';
import { openPlace, type Place } from '../../src/sandbox/place.ts';
import { openStage, type Stage } from '../../src/sandbox/stage.ts';
import { type AppProcess, startAppProcess } from '../../src/sandbox/start-app-process.ts';

/** The sandbox as `npm run sandbox` brings it up, without the walk and the terminal. */
export type BroughtUp = {
  stage: Stage;
  place: Place;
  startApp(): Promise<void>;
  /** Resolves when the second workspace's app answers. */
  openSecondWorkspace(): Promise<void>;
  close(): Promise<void>;
};

const SECOND_APP_WITHIN_MS = 30_000;

/**
 * Brings everything up but the app.
 *
 * @param options.connected whether the service's key is connected from the app's start
 */
export async function bringUp(options: {
  connected: boolean;
  files: Promise<PageFiles>;
}): Promise<BroughtUp> {
  const folder = await mkdtemp(join(tmpdir(), 'design-request-browser-'));
  const stage = await openStage();
  const place = await openPlace(stage, { port: 0, files: options.files });
  const ending = new AbortController();
  let app: AppProcess | undefined;
  let second = Promise.resolve();
  return {
    stage,
    place,
    async startApp() {
      app = await startAppProcess({
        ...stage.environment(folder),
        ...(options.connected ? { DESIGN_API_KEY: stage.service.apiKey } : {}),
      });
      stage.slack.connect(`${app.url}/slack/events`);
      place.pages.app.attach(app);
    },
    async openSecondWorkspace() {
      second = place.openSecondWorkspace(ending.signal);
      const greetings = () => stage.slack.apiCalls.filter(({ method }) => method === 'auth.test');
      await stage.slack.until(() => greetings().length > 1, 'the second app', SECOND_APP_WITHIN_MS);
    },
    async close() {
      ending.abort();
      await second;
      await app?.stop();
      await place.close();
      await stage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
