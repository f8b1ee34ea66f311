import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

const DEPLOY = new URL('../../docs/deploy/', import.meta.url);
/** The files that operators copy. */
export const CONFIG_FILE = fileURLToPath(new URL('prometheus.yml', DEPLOY));
export const DASHBOARD_FILE = fileURLToPath(new URL('grafana-dashboard.json', DEPLOY));
export const RULES_FILE = fileURLToPath(new URL('alerts.yml', DEPLOY));

/** Throws with an explanation if Prometheus isn't installed. */
export function requirePrometheus(): void {
  for (const command of ['promtool', 'prometheus']) {
    const { error } = spawnSync(command, ['--version'], { stdio: 'ignore' });
    if (!error) continue;
    throw new Error(
      `${command} is not found. Install Prometheus (Debian: apt-get install prometheus), or put it into PATH.`,
    );
  }
}

/** A point in time, in seconds since 1970, and a value. */
const sample = z.tuple([z.number(), z.string()]);
const labels = z.record(z.string(), z.string());
const matrix = z.object({
  data: z.object({ result: z.array(z.object({ metric: labels, values: z.array(sample) })) }),
});
const rules = z.object({
  data: z.object({
    groups: z.array(
      z.object({ rules: z.array(z.object({ name: z.string(), health: z.string() })) }),
    ),
  }),
});

type Series = z.infer<typeof matrix>['data']['result'][number];

export type Prometheus = {
  /** Evaluates an expression at several times. @throws with Prometheus' own words if it can't */
  queryRange(
    expr: string,
    range: { from: number; to: number; stepSeconds: number },
  ): Promise<Series[]>;
  /** The alerts that it has loaded, and whether it could evaluate them. */
  alerts(): Promise<{ name: string; health: string }[]>;
  stop(): Promise<void>;
};

/** Fills in what Grafana fills in. */
export const withInterval = (expr: string, seconds: number): string =>
  expr.replaceAll('$__rate_interval', `${seconds}s`);

const READY_WITHIN_MS = 20_000;
const POLL_MS = 100;

/** Starts a real Prometheus with the operators' configuration, which reads the metrics of this app. */
export async function startPrometheus(options: {
  appUrl: string;
  folder: string;
  scrapeSeconds: number;
}): Promise<Prometheus> {
  const { appUrl, folder, scrapeSeconds } = options;
  const config = parse(readFileSync(CONFIG_FILE, 'utf8'));
  const every = `${scrapeSeconds}s`;
  config.global = { scrape_interval: every, evaluation_interval: every };
  config.scrape_configs[0].static_configs[0].targets = [new URL(appUrl).host];
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config));
  copyFileSync(RULES_FILE, join(folder, 'alerts.yml'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]);
  child.stderr.pipe(process.stderr);
  await untilReady(url, child);

  async function get(path: string, query: Record<string, string> = {}): Promise<unknown> {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(query)}`);
    if (!response.ok) throw new Error(`${path} ${query.query ?? ''}: ${await response.text()}`);
    return response.json();
  }

  return {
    async queryRange(expr, { from, to, stepSeconds }) {
      const range = { start: String(from), end: String(to), step: String(stepSeconds) };
      return matrix.parse(await get('query_range', { query: expr, ...range })).data.result;
    },
    alerts: async () => rules.parse(await get('rules')).data.groups.flatMap((group) => group.rules),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  while (performance.now() < until && child.exitCode === null) {
    const response = await fetch(`${url}/-/ready`).catch(() => undefined);
    if (response?.ok) return;
    await setTimeout(POLL_MS);
  }
  child.kill();
  throw new Error('Prometheus did not become ready.');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
