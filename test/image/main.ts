import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readArguments } from '../../src/commands/read-arguments.ts';
import { freePort } from '../free-port.ts';
import { freshDatabase } from '../postgres/fresh-database.ts';
import { startPostgres } from '../postgres/server.ts';
import { openStage } from '../sandbox/stage.ts';
import { createScene } from '../sandbox/walk/scene.ts';
import { walk } from '../sandbox/walk/walk.ts';
import { docker, removeContainers, startContainer, until } from './container.ts';

const USAGE = `npm run tool -- image [--image design-request-for-slack]

Runs the image between the stand-ins, on each database: one request, an operator command, a stop, and a start on what
the first run left. Needs Docker.

  --image  its name`;

const { values: options } = readArguments(USAGE, {
  image: { type: 'string', default: 'design-request-for-slack' },
});

const volume = `design-request-test-${randomBytes(4).toString('hex')}`;
await docker(['volume', 'create', volume]);
try {
  await tryOn('SQLite', {}, volume);
} finally {
  await docker(['volume', 'rm', '--force', volume]);
}
const postgres = await startPostgres({ durable: true });
try {
  const { url } = await freshDatabase(postgres.url);
  await tryOn('Postgres', { DATABASE_URL: url });
} finally {
  await postgres.stop();
}

async function tryOn(name: string, settings: Record<string, string>, mounted?: string) {
  const stage = await openStage();
  const PORT = String(await freePort());
  const env = { ...stage.environment('/data'), ...settings, PORT };
  const url = `http://127.0.0.1:${PORT}`;
  stage.connect(url);
  try {
    const first = await started(env, url, mounted);
    await walk(createScene(stage));
    assert.equal(await first.container.exec('node', '-p', 'process.getuid()'), '65532');
    if (mounted) await first.container.exec('node', 'dist/app.js', 'backup', '/data/backup.db');
    await first.container.healthy();
    const warnings = (await first.container.log()).filter(({ level }) => level === 'warn');
    // Such as a database on a disk that is temporary, or that others can read.
    assert.deepEqual(warnings, []);
    assert.equal(await first.container.stop(), 0);

    const again = await started(env, url, mounted);
    // The key that was connected in the first container is still there.
    assert.equal(again.ready.next, undefined);
    assert.equal(await again.container.stop(), 0);
    process.stdout.write(`${name}: the image works.\n`);
  } finally {
    await removeContainers();
    await stage.close();
  }
}

/** Starts the app, and waits until `/readyz` answers 200 and the log says `ready`. */
async function started(env: Record<string, string>, url: string, mounted?: string) {
  const container = await startContainer(options.image, env, mounted);
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false);
  let ready: Record<string, unknown> | undefined;
  await until(async () => {
    ready = (await container.log()).find(({ msg }) => msg === 'ready');
    return ready !== undefined;
  });
  assert(ready);
  return { container, ready };
}
