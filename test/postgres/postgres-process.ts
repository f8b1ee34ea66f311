import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.ts';
import { type Cluster, createCluster, packagedPostgres, type Server } from './cluster.ts';

// Keeps a Postgres running as long as the process that started it lives: when standard input ends, for
// any reason, Postgres is stopped and its files are deleted. Commands on standard input: `down` and `up`.
// With --durable every commit waits for the disk, as in a deployment.

const LOOPBACK = '127.0.0.1';

// Some don't let the owner write.
process.umask(0o077);

let cluster: Cluster | undefined;
let server: Server | undefined;

async function end(): Promise<void> {
  await server?.stop();
  if (cluster) await rm(cluster.folder, { recursive: true, force: true });
  process.exit(0);
}
process.on('SIGTERM', end).on('SIGINT', () => undefined);

try {
  const password = randomBytes(12).toString('hex');
  cluster = await createCluster(process.env.TEST_POSTGRES ?? packagedPostgres(), password);
  // Only now: creating it takes seconds, in which another process may take the port.
  const port = await freePort();
  const start = cluster.start.bind(undefined, [
    '-p',
    String(port),
    '-c',
    `listen_addresses=${LOOPBACK}`,
    '-c',
    'unix_socket_directories=',
    '-c',
    'max_connections=300',
    ...(process.argv.includes('--durable') ? [] : ['-c', 'fsync=off']),
  ]);
  server = await start();
  say(`postgres://postgres:${password}@${LOOPBACK}:${port}`);

  const lines = createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    if (line === 'down') await server?.stop();
    if (line === 'up') server = await start();
    say(line);
  });
  lines.on('close', end);
} catch (error) {
  if (cluster) await rm(cluster.folder, { recursive: true, force: true });
  process.stderr.write(
    `Postgres can't be started for the tests: ${error instanceof Error ? error.message : error}. TEST_POSTGRES may name the folder of another one, with bin/initdb and bin/postgres.\n`,
  );
  process.exit(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
