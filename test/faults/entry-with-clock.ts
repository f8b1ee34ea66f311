import { startApp } from '../../src/app.ts';
import { configFromEnvironment } from '../../src/config/config.ts';
import { createLog } from '../../src/ops/logging.ts';
import { runProcess } from '../../src/ops/process.ts';
import { secretsOf } from '../../src/ops/secrets.ts';

// The app with one difference: the process that started it can shift its clock.
let offsetMs = 0;
const now = () => new Date(Date.now() + offsetMs);

process.on('message', (message) => {
  if (typeof message !== 'object' || message === null || !('clockOffsetMs' in message)) return;
  offsetMs = Number(message.clockOffsetMs);
  process.send?.('moved');
});

await runProcess(async () => {
  const config = configFromEnvironment();
  const log = createLog({ level: config.logLevel, secrets: secretsOf(config) });
  const app = await startApp(config, { log, now });
  return { log, stop: app.stop };
});
