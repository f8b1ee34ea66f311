import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scrape } from '../journeys/metrics.ts';
import { startWorld } from '../journeys/world.ts';

const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');

it('docs/metrics.md explains every metric with all its labels, and no other', async () => {
  const { app } = await startWorld({ transport: 'socket' });
  const { names, text } = await scrape(app);
  const explained = [...page.matchAll(/^\| `(design_request_\w+)` \| (.*?) \|/gm)];
  expect(explained.map(([, name]) => name).toSorted()).toEqual(names.toSorted());
  for (const [, name, labels = ''] of explained) {
    const own = [...text.matchAll(new RegExp(`^${name}(?:_count)?\\{(.*)\\}`, 'gm'))];
    const exported = own.flatMap(([, pairs = '']) => [...pairs.matchAll(/(\w+)="/g)]);
    const undocumented = exported.filter(([, label]) => !labels.includes(`\`${label}\``));
    expect(undocumented, name).toEqual([]);
  }
});
