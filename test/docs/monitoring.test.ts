import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHECKS } from '../../src/commands/doctor/examine.ts';
import { scrape } from '../journeys/metrics.ts';
import { startWorld } from '../journeys/world.ts';
import { ALERT_CASES, CALM } from '../monitoring/alert-cases.ts';
import { DASHBOARD_FILE, RULES_FILE } from '../monitoring/files.ts';

const alerts: { alert: string; expr: string; annotations: Record<string, string> }[] = parse(
  readFileSync(RULES_FILE, 'utf8'),
).groups.flatMap(({ rules }: { rules: unknown }) => rules);
const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
const names = alerts.map(({ alert }) => alert);
const dashboard = readFileSync(DASHBOARD_FILE, 'utf8');

it('the alerts, their cases, and the dashboard name only metrics that the app has', async () => {
  const { app } = await startWorld({ transport: 'socket' });
  const exported = (await scrape(app)).names;
  const texts = [...alerts.map(({ expr }) => expr), ...Object.keys(CALM), dashboard];
  const named = texts.flatMap((text) => text.match(/\bdesign_request_\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(30);
  const withoutSuffix = named.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
  expect(withoutSuffix.filter((name) => !exported.includes(name))).toEqual([]);
});

it('every metric says what it means, and docs/metrics.md names only metrics and labels that exist', async () => {
  const { app } = await startWorld({ transport: 'socket' });
  const { names, text } = await scrape(app);
  const meaning = new Map(
    [...text.matchAll(/^# HELP (\w+) (.+)$/gm)].map(([, name, help]) => [name, help]),
  );
  expect(names.filter((name) => !/\w+ \w+/.test(meaning.get(name) ?? ''))).toEqual([]);

  const explained = [...page.matchAll(/^\| `(design_request_\w+)` \| (.*?) \|/gm)];
  expect(explained.length).toBeGreaterThan(5);
  expect(explained.map(([, name]) => name).filter((name) => !names.includes(name ?? ''))).toEqual(
    [],
  );
  for (const [, name, labels = ''] of explained) {
    const own = [...text.matchAll(new RegExp(`^${name}(?:_count)?\\{(.*)\\}`, 'gm'))];
    const exported = own.flatMap(([, pairs = '']) => [...pairs.matchAll(/(\w+)="/g)]);
    if (exported.length === 0) continue;
    const documented = [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label);
    const has = (label = '') => exported.some(([, one]) => one === label);
    expect(
      documented.filter((label) => !has(label)),
      name,
    ).toEqual([]);
  }
});

it('every alert says what it means and what to do, and leads to docs/metrics.md', () => {
  for (const { alert, annotations } of alerts) {
    const { summary, description, action, runbook_url: runbook } = annotations;
    expect(summary, alert).toBeTruthy();
    expect(description, alert).toBeTruthy();
    expect(action?.length, alert).toBeGreaterThan(50);
    expect(runbook, alert).toMatch(/^https:\/\/.*\/docs\/metrics\.md#at-3-am$/);
  }
  expect(page).toContain('\n## At 3 a.m.\n');
});

it('an alert names only alerts, checks of the doctor, and panels of the dashboard that exist', () => {
  const actions = alerts.map(({ annotations }) => annotations.action ?? '').join('\n');
  const checks = [...actions.matchAll(/-- doctor ([a-z -]+)`/g)].flatMap(([, list = '']) =>
    list.split(' '),
  );
  expect(checks.length).toBeGreaterThan(8);
  const known = CHECKS.map(({ name }) => name);
  expect(checks.filter((check) => !known.includes(check))).toEqual([]);
  const panels = [...actions.matchAll(/“([A-Z][^”]+)”/g)].map(([, title]) => title);
  expect(panels.length).toBeGreaterThan(5);
  expect(panels.filter((title) => !dashboard.includes(`"title": "${title}"`))).toEqual([]);
  const others = [...actions.matchAll(/\b(?:[A-Z][a-z]+){2,}\b/g)].map(([name]) => name);
  expect(others.filter((name) => !names.includes(name))).toEqual([]);
});

it('every alert has a case in which it fires', () => {
  const fired = new Set(ALERT_CASES.flatMap(([, fires]) => fires ?? []));
  expect(fired).toEqual(new Set(names));
});
