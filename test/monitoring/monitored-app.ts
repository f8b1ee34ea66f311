import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN_ENTRY } from '../fresh-bundle.ts';
import { openStage, type Stage } from '../sandbox/stage.ts';
import { startAppProcess } from '../sandbox/start-app-process.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

/** The app as deployed, between its stand-ins, read by a real Prometheus. */
export type MonitoredApp = { stage: Stage; prometheus: Prometheus; close(): Promise<void> };

export async function startMonitoredApp(options: { scrapeSeconds: number }): Promise<MonitoredApp> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'design-request-monitoring-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const stage = await openStage();
  opened.defer(() => stage.close());
  const env = { ...stage.environment(folder), DESIGN_API_KEY: stage.service.apiKey };
  const app = await startAppProcess(env, { entry: MAIN_ENTRY });
  opened.defer(() => app.stop());
  stage.connect(app.url);
  const prometheus = await startPrometheus({ ...options, appUrl: app.url, folder });
  opened.defer(() => prometheus.stop());
  const running = opened.move();
  return { stage, prometheus, close: () => running.disposeAsync() };
}
