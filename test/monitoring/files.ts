import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const DEPLOY = new URL('../../docs/deploy/', import.meta.url);

/** The files that operators copy. */
export const CONFIG_FILE = fileURLToPath(new URL('prometheus.yml', DEPLOY));
export const DASHBOARD_FILE = fileURLToPath(new URL('grafana-dashboard.json', DEPLOY));
export const RULES_FILE = fileURLToPath(new URL('alerts.yml', DEPLOY));

/** The rows between the panels have no queries. */
const dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

export const queriesOfDashboard = (): string[] =>
  dashboard
    .parse(JSON.parse(readFileSync(DASHBOARD_FILE, 'utf8')))
    .panels.flatMap(({ targets }) => targets)
    .map(({ expr }) => expr.replaceAll('$__rate_interval', '1m'));
