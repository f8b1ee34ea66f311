import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../service/local-server.ts';

type Frame = { type: string; bytes: Buffer };
/** A connection to the server, and who hears what it says. */
type ServerConnection = { socket: Socket; hear: (frame: Frame) => void };

const LOOPBACK = '127.0.0.1';
const SSL_REQUEST = 80877103;
/** https://www.pgbouncer.org/config.html, "ignore_startup_parameters": these are tracked, all others are refused. */
const TRACKED = [
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
];
/** https://www.pgbouncer.org/features.html, "SQL feature map for pooling modes", what "Never" works. */
const OF_SESSION =
  /^\s*(?:set (?!local|transaction|constraints)|reset|listen|prepare|discard|load)|with hold|pg_(?:try_)?advisory_lock/i;

/**
 * A stand-in for a pooler in transaction mode, as strict as PgBouncer with its default settings, until the test ends.
 *
 * @param target port of a Postgres on this machine
 */
export async function openPooler(target: number) {
  const idle: ServerConnection[] = [];
  const waiting: ((connection: ServerConnection) => void)[] = [];
  const violations: string[] = [];
  const used = new Set<ServerConnection>();

  const giveBack = (connection: ServerConnection) => {
    connection.hear = () => undefined;
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
  };
  /** The one that has been unused for longest, which is seldom the one of the transaction before. */
  const take = () =>
    new Promise<ServerConnection>((resolve) => {
      const free = idle.shift();
      if (free) resolve(free);
      else waiting.push(resolve);
    });

  function connectToServer(startup: Buffer, hear: ServerConnection['hear']): ServerConnection {
    const socket = passingAtOnce(connect(target, LOOPBACK));
    const connection = { socket, hear };
    socket.on(
      'data',
      framesIn((frame) => connection.hear(frame)),
    );
    socket.once('close', () => {
      const index = idle.indexOf(connection);
      if (index !== -1) idle.splice(index, 1);
    });
    socket.write(startup);
    return connection;
  }

  function serve(client: Socket, startup: Buffer): void {
    let mine: ServerConnection | undefined;
    let asking: Promise<void> = Promise.resolve();
    const hear = ({ type, bytes }: Frame) => {
      client.write(bytes);
      if (type !== 'Z' || bytes.at(-1) !== 'I'.charCodeAt(0) || !mine) return;
      const done = mine;
      mine = undefined;
      giveBack(done);
    };
    // Logs in by a connection of its own, which then serves everybody.
    mine = connectToServer(startup, hear);
    const onFrame = ({ type, bytes }: Frame) => {
      if (type === 'X') {
        client.end();
        return;
      }
      violations.push(...violationsOf(type, bytes));
      asking = asking.then(async () => {
        if (!mine) {
          mine = await take();
          mine.hear = hear;
          used.add(mine);
        }
        mine.socket.write(bytes);
      });
    };
    client.on('data', framesIn(onFrame));
    client.once('close', () => mine?.socket.destroy());
  }

  const server = createServer((client) => {
    passingAtOnce(client);
    client.once('data', function onStartup(bytes) {
      if (bytes.readInt32BE(4) === SSL_REQUEST) {
        client.once('data', onStartup);
        client.write('N');
        return;
      }
      const [refused] = parametersOf(bytes).filter((name) => !TRACKED.includes(name.toLowerCase()));
      if (refused === undefined) serve(client, bytes);
      else client.end(errorFrame('08P01', `unsupported startup parameter: ${refused}`));
    });
  });
  return {
    port: await listen(server),
    /** What clients asked for that lasts longer than a transaction, and would reach other clients. */
    violations,
    /** How many different connections to the server transactions ran on. */
    used: () => used.size,
  };
}

/** Messages are passed on one by one. */
const passingAtOnce = (socket: Socket) => socket.setNoDelay(true).on('error', () => undefined);

/** Splits what arrives into messages: a type, and a length that includes itself. */
function framesIn(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      const bytes = rest.subarray(0, end);
      rest = rest.subarray(end);
      onFrame({ type: String.fromCharCode(bytes[0] ?? 0), bytes });
    }
  };
}

/** The names in a startup message: pairs of texts that end in a NUL. */
const parametersOf = (startup: Buffer): string[] =>
  startup
    .toString('utf8', 8)
    .split('\0')
    .filter((name, index) => index % 2 === 0 && name !== '');

/** A simple query is a text; a parsed one is preceded by the name of the statement, which then stays. */
function violationsOf(type: string, bytes: Buffer): string[] {
  if (type !== 'Q' && type !== 'P') return [];
  const [first = '', second = ''] = bytes.toString('utf8', 5).split('\0');
  const sql = type === 'Q' ? first : second;
  const isNamed = type === 'P' && first !== '';
  return isNamed || OF_SESSION.test(sql) ? [sql] : [];
}

function errorFrame(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const frame = Buffer.alloc(5 + fields.length);
  frame.write('E');
  frame.writeInt32BE(4 + fields.length, 1);
  fields.copy(frame, 5);
  return frame;
}
