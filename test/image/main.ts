import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readArguments } from '../../src/commands/read-arguments.ts';
import { freshDatabase } from '../postgres/fresh-database.ts';
import { startPostgres } from '../postgres/server.ts';
import { openStage } from '../sandbox/stage.ts';
import { createScene } from '../sandbox/walk/scene.ts';
import { walk } from '../sandbox/walk/walk.ts';
import { docker, removeContainers, sizesOf, startContainer, until } from './container.ts';

const USAGE = `npm run tool -- image [--image design-request-for-slack --rounds 5]

Runs the image between the stand-ins, on each database: one request, an operator command, a stop, and starts on what
the first run left. Prints the image's size and how long the starts took. Needs Docker.

  --image   its name
  --rounds  how often the start is timed`;

const { values: options } = readArguments(USAGE, {
  image: { type: 'string', default: 'design-request-for-slack' },
  rounds: { type: 'string', default: '5' },
});
const { image } = options;
const rounds = Number(options.rounds);

const { all, node, app, gzipped } = await sizesOf(image);
print(`Image: ${megabytes(all)}, of which Node ${megabytes(node)} and the app ${megabytes(app)};`);
print(`in a registry ${megabytes(gzipped)}.`);

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

    const times: Times[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { container, ready, ...rest } = await started(env, url, mounted);
      // The key that was connected in the first container is still there.
      assert.equal(ready.next, undefined);
      times.push(rest);
      assert.equal(await container.stop(), 0);
    }
    print(`${name}, from the start of the process, in ms:`);
    print(
      `  with an empty database: ready ${first.readyMs}, /readyz ${first.readyzMs}, processor ${first.cpuMs}`,
    );
    print(`  after that: ready ${spread(times.map(({ readyMs }) => readyMs))},`);
    print(`    /readyz ${spread(times.map(({ readyzMs }) => readyzMs))},`);
    print(`    processor ${spread(times.map(({ cpuMs }) => cpuMs))}`);
  } finally {
    await removeContainers();
    await stage.close();
  }
}

type Times = { readyMs: number; readyzMs: number; cpuMs: number };

/** Starts the app and measures until it logs `ready`, and until `/readyz` answers 200. */
async function started(env: Record<string, string>, url: string, mounted?: string) {
  const container = await startContainer(image, env, mounted);
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false);
  const readyzAt = Date.now();
  const cpuMs = await container.cpuMs();
  let ready: Record<string, unknown> | undefined;
  await until(async () => {
    ready = (await container.log()).find(({ msg }) => msg === 'ready');
    return ready !== undefined;
  });
  assert(ready);
  return {
    container,
    ready,
    readyMs: Math.round(Date.parse(String(ready.time)) - container.startedAt),
    readyzMs: Math.round(readyzAt - container.startedAt),
    cpuMs,
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** The median, and the range. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]}–${sorted.at(-1)})`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
