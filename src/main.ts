import { collectDefaultMetrics } from 'prom-client';
import { startApp } from './app.ts';
import { configFromEnvironment, environmentVariables, isNpmStart } from './config/config.ts';
import { createLog } from './ops/logging.ts';
import { runProcess } from './ops/process.ts';
import { secretsOf } from './ops/secrets.ts';
import { applyProxySettings } from './outgoing.ts';

await runProcess(
  async () => {
    const config = configFromEnvironment();
    applyProxySettings(environmentVariables());
    const log = createLog({ level: config.logLevel, secrets: secretsOf(config) });
    // Memory, CPU, and event loop lag of the process, which has one app.
    collectDefaultMetrics();
    const app = await startApp(config, { log });
    // Loaded after the start, so as not to delay it.
    void import('./commands/doctor/examine.ts').then(({ warnAtStart }) => warnAtStart(log));
    return { log, stop: app.stop };
  },
  { endsWithParent: isNpmStart() },
);
