import { collectDefaultMetrics } from 'prom-client';
import { startApp } from './app.ts';
import { configFromEnvironment, isNpmStart } from './config/config.ts';
import { createLog } from './ops/logging.ts';
import { runProcess } from './ops/process.ts';
import { secretsOf } from './ops/secrets.ts';

await runProcess(
  async () => {
    const config = configFromEnvironment();
    const log = createLog({ level: config.logLevel, secrets: secretsOf(config) });
    // Memory, CPU, and event loop lag of the process, which has one app.
    collectDefaultMetrics();
    const app = await startApp(config, { log });
    // Loaded once the app is ready, which it isn't to delay.
    void import('./commands/doctor/at-start.ts').then(({ warnAtStart }) => warnAtStart(log));
    return { log, stop: app.stop };
  },
  { endsWithParent: isNpmStart() },
);
