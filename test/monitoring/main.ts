import { readArguments } from '../../src/commands/read-arguments.ts';
import buildIfStale from '../fresh-bundle.ts';
import { checkAll } from './check-all.ts';
import { requirePrometheus } from './prometheus.ts';

const USAGE = `npm run tool -- alerts

Checks the alerts with promtool, and the dashboard's queries with a Prometheus that reads the metrics of the app.`;

readArguments(USAGE, {});
requirePrometheus();
buildIfStale();
await checkAll();
