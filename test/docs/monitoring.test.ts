import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { scrape } from '../journeys/metrics.ts';
import { startWorld } from '../journeys/world.ts';
import { ALERT_CASES, CALM } from '../monitoring/alert-cases.ts';
import { DASHBOARD_FILE, dashboardText } from '../monitoring/dashboard-file.ts';
import { RULES_FILE } from '../monitoring/prometheus.ts';

const alerts: { alert: string; expr: string; annotations: Record<string, string> }[] = parse(
  readFileSync(RULES_FILE, 'utf8'),
).groups.flatMap(({ rules }: { rules: unknown }) => rules);
const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
const names = alerts.map(({ alert }) => alert);
const dashboard = readFileSync(DASHBOARD_FILE, 'utf8');

it('the dashboard is what npm run tool -- alerts --dashboard writes', () => {
  expect(dashboard).toBe(dashboardText());
});

it('the alerts, their cases, and the dashboard name only metrics that the app has', async () => {
  const { app } = await startWorld({ transport: 'socket' });
  const exported = (await scrape(app)).names;
  const texts = [...alerts.map(({ expr }) => expr), ...Object.keys(CALM), dashboard];
  const named = texts.flatMap((text) => text.match(/\bdesign_request_\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(30);
  const withoutSuffix = named.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
  expect(withoutSuffix.filter((name) => !exported.includes(name))).toEqual([]);
});

it('docs/metrics.md explains every alert under a heading of its name, and no other', () => {
  const [, explained = ''] = page.split('## Alerts\n');
  expect([...explained.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)).toEqual(names);
  for (const { alert, annotations } of alerts) {
    const section = `/docs/metrics.md#${alert.toLowerCase()}`;
    expect(annotations.runbook_url).toMatch(/^https:\/\//);
    expect(annotations.runbook_url?.endsWith(section), alert).toBe(true);
    expect(annotations.summary, alert).toBeTruthy();
    expect(annotations.description, alert).toBeTruthy();
  }
});

it('every alert has a case in which it fires', () => {
  const fired = new Set(ALERT_CASES.flatMap(({ fires }) => fires));
  expect(fired).toEqual(new Set(names));
});
