import { startApp } from './app.ts';
import { configFromEnvironment } from './config.ts';
import { tidyUpAfterStart } from './ops/after-start.ts';
import { createLog } from './ops/logging.ts';
import { runProcess } from './ops/process.ts';
import { secretsOf } from './ops/secrets.ts';

await runProcess(async () => {
  const config = configFromEnvironment();
  const log = createLog({ level: config.logLevel, secrets: secretsOf(config) });
  const app = await startApp(config, { log });
  tidyUpAfterStart().catch((error) => log.warn({ err: error }, 'the start left something behind'));
  return { log, stop: app.stop };
});
