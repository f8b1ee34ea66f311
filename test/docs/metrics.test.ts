import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scrape } from '../journeys/metrics.ts';
import { startWorld } from '../journeys/world.ts';

const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');

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
