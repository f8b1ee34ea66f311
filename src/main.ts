import { setFlagsFromString } from 'node:v8';
import { collectDefaultMetrics } from 'prom-client';
import { startApp } from './app.ts';
import { configFromEnvironment, isNpmStart } from './config/config.ts';
import { createLog } from './ops/logging.ts';
import { runProcess } from './ops/process.ts';
import { secretsOf } from './ops/secrets.ts';

// V8 would optimize the HTTP parser of `fetch`, which is WebAssembly, a few seconds after the first call. That takes about
// 10 MB, and calls to Slack don't take measurably less time for it (docs/performance.md, "Memory, idle"). The flags must be
// set before any WebAssembly is compiled, which is at the first call.
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);

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
