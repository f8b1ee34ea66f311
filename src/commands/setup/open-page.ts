import { spawn } from 'node:child_process';

/** The program that opens a page in the browser; undefined where there is no desktop. */
function opener(env: Record<string, string | undefined>): [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Opens a page in the browser, if there is one. It is printed, too, so failing to open it doesn't matter. */
export function openPage(url: string, env: Record<string, string | undefined>): void {
  const [program, ...args] = opener(env) ?? [];
  if (!program) return;
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
