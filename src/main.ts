import { setFlagsFromString } from 'node:v8';
import { collectDefaultMetrics } from 'prom-client';
import { startApp } from './app.ts';
import { configFromEnvironment, environmentVariables, isNpmStart } from './config/config.ts';
import { createLog } from './ops/logging.ts';
import { runProcess } from './ops/process.ts';
import { secretsOf } from './ops/secrets.ts';
import { applyProxySettings } from './outgoing.ts';

// V8 would let garbage grow to several times what is in use before it collects the whole heap: after a form in each of
// thousands of workspaces to 200 MB, where 60 are in use. Collecting at 1.4 times takes no measurable processor time
// (`npm run tool -- bench --only workspaces`).
setFlagsFromString('--heap-growing-percent=40');

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
