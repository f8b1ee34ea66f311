import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readArguments } from '../../src/commands/read-arguments.ts';
import { CONFIG_FILE, queriesOfDashboard, RULES_FILE } from './files.ts';
import { testRules } from './test-rules.ts';

const USAGE = `npm run tool -- alerts

Checks the alerts and the dashboard's queries with promtool.`;

readArguments(USAGE, {});
if (spawnSync('promtool', ['--version'], { stdio: 'ignore' }).error) {
  throw new Error(
    'promtool is not found. Install Prometheus (Debian: apt-get install prometheus), or put it into PATH.',
  );
}
const folder = mkdtempSync(join(tmpdir(), 'design-request-alerts-'));
try {
  execFileSync('promtool', ['check', 'config', CONFIG_FILE], { stdio: 'inherit' });
  execFileSync('promtool', ['check', 'rules', queriesAsRules(folder)], { stdio: 'inherit' });
  await testRules(RULES_FILE, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** promtool reads queries only as rules. */
function queriesAsRules(folder: string): string {
  const file = join(folder, 'dashboard.yml');
  const rules = queriesOfDashboard().map((expr, index) => ({ record: `query_${index}`, expr }));
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
  return file;
}
