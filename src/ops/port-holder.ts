import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The state of a listening socket in `/proc/net/tcp` (proc_pid_net(5)). */
const LISTENING = '0A';

/**
 * Says which process listens on a TCP port, or how to find it. Only Linux tells without another program, and only
 * about processes that this user may inspect.
 */
export function describePortHolder(port: number): string {
  const holder = process.platform === 'linux' ? findHolder(port) : undefined;
  if (holder) return `Port ${port} is in use by ${holder.name} (process ${holder.pid}).`;
  const command =
    process.platform === 'win32'
      ? `netstat -ano | findstr :${port}`
      : `lsof -nP -iTCP:${port} -sTCP:LISTEN`;
  return `Port ${port} is in use; \`${command}\` shows by which process.`;
}

function findHolder(port: number): { name: string; pid: string } | undefined {
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningSockets(table, port)));
    const pid = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && holds(entry, sockets));
    if (!pid) return undefined;
    // Not `comm`, which is the name of the main thread: Node calls that MainThread.
    return { pid, name: basename(readlinkSync(`/proc/${pid}/exe`)) };
  } catch {
    return undefined;
  }
}

function listeningSockets(table: string, port: number): string[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(`/proc/net/${table}`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(ending) && state === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`);
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => sockets.has(readlinkSync(`${folder}/${fd}`)));
  } catch {
    // Another user's process, or one that has just ended.
    return false;
  }
}
