import { writeFileSync } from 'node:fs';
import { readArguments } from '../../src/commands/read-arguments.ts';
import buildIfStale from '../fresh-bundle.ts';
import { checkAll } from './check-all.ts';
import { DASHBOARD_FILE, dashboardText } from './dashboard-file.ts';
import { requirePrometheus } from './prometheus.ts';

const USAGE = `npm run tool -- alerts [--dashboard]

Checks the alerts with promtool, and the dashboard's queries with a Prometheus that reads the metrics of the app.

  --dashboard  only writes docs/deploy/grafana-dashboard.json from test/monitoring/panels.ts`;

const { values: given } = readArguments(USAGE, {
  dashboard: { type: 'boolean', default: false },
});
if (given.dashboard) writeFileSync(DASHBOARD_FILE, dashboardText());
else {
  requirePrometheus();
  buildIfStale();
  await checkAll();
}
