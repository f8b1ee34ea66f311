import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { environmentVariables } from '../config/config.ts';
import { applyProxySettings } from '../outgoing.ts';
import { readManifest } from './manifest.ts';
import { UsageError } from './read-arguments.ts';
import { askNobody, askPerson, InterruptedError } from './setup/ask.ts';
import { runSetup } from './setup/run-setup.ts';

type Texts = 'service-url' | 'card-link' | 'public-url' | 'mode' | 'app';
type Flags = 'many' | 'yes' | 'replace' | 'secrets-from-stdin' | 'no-open';
type Options = Record<Flags, boolean> & Partial<Record<Texts, string | undefined>>;

const INTERRUPTED = 130;

/** Asks for the settings, and writes them to .env. */
export async function setUp(options: Options): Promise<void> {
  const given = {
    DESIGN_API_BASE_URL: options['service-url'],
    CARD_URL_TEMPLATE: options['card-link'],
    PUBLIC_URL: options['public-url'],
  };
  const env = {
    ...environmentVariables(),
    ...(options['secrets-from-stdin'] ? parseEnv(await text(process.stdin)) : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
  applyProxySettings(env);
  const opens = process.stdin.isTTY && !options['no-open'];
  try {
    await runSetup({
      mode: modeOf(options.mode),
      many: options.many,
      appId: options.app,
      replace: options.replace,
      env,
      envFile: '.env',
      envTemplate: '.env.example',
      manifestTemplate: readManifest(),
      asker: options.yes ? askNobody : askPerson(),
      say: (line) => process.stdout.write(`${line}\n`),
      open: opens ? (url) => openPage(url, env) : () => undefined,
    });
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    process.exitCode = INTERRUPTED;
    if (!process.stdin.isTTY) {
      process.stderr.write(
        'There is no terminal to answer in. `npm run app -- setup --yes` asks nothing; --help explains it.\n',
      );
    }
  }
  // Otherwise an open pipe keeps the process alive.
  process.stdin.unref?.();
}

function modeOf(mode: string | undefined) {
  if (mode === undefined || mode === 'socket' || mode === 'http') return mode;
  throw new UsageError('--mode must be socket or http.');
}

/** The program that opens a page in the browser; undefined where there is no desktop. */
function opener(env: Record<string, string | undefined>): [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Opens a page in the browser, if there is one. It is printed, too, so failing to open it doesn't matter. */
function openPage(url: string, env: Record<string, string | undefined>): void {
  const [program, ...args] = opener(env) ?? [];
  if (!program) return;
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
