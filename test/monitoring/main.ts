import { writeFileSync } from 'node:fs';
import { readArguments } from '../../src/commands/read-arguments.ts';
import buildIfStale from '../fresh-bundle.ts';
import { checkAll } from './check-all.ts';
import { DASHBOARD_FILE, dashboardText } from './dashboard-file.ts';
import { requirePrometheus } from './prometheus.ts';
import { takePicture } from './take-picture.ts';

const USAGE = `npm run tool -- alerts [--dashboard | --picture]

Checks the alerts with promtool, and the dashboard's queries with a Prometheus that reads the metrics of the app.

  --dashboard  only writes docs/deploy/grafana-dashboard.json from test/monitoring/panels.ts
  --picture    only draws docs/pictures/metrics.png, from five minutes of a busy app`;

const { values: given } = readArguments(USAGE, {
  dashboard: { type: 'boolean', default: false },
  picture: { type: 'boolean', default: false },
});
if (given.dashboard) writeFileSync(DASHBOARD_FILE, dashboardText());
else {
  requirePrometheus();
  buildIfStale();
  await (given.picture ? takePicture() : checkAll());
}
