import { fileURLToPath } from 'node:url';
import { buildDashboard } from './dashboard.ts';

/** Where the dashboard is for operators. */
export const DASHBOARD_FILE = fileURLToPath(
  new URL('../../docs/deploy/grafana-dashboard.json', import.meta.url),
);

/** What must be in it. */
export const dashboardText = (): string => `${JSON.stringify(buildDashboard(), null, 2)}\n`;
