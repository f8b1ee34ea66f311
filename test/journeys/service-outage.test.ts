import { expect, it } from 'vitest';
import { advanceMonotonicClock } from '../monotonic-clock.ts';
import { answerTo } from './links.ts';
import { startWorld } from './world.ts';

const MINUTE_MS = 60_000;

it('a service that fails is logged once, and once that it works again', async () => {
  const { world, service, me, logLines } = await startWorld();
  const lines = () =>
    logLines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg.includes('DESIGN_API_BASE_URL'))
      .map((line) => `${line.level}: ${line.msg} (${line.reason})`);
  const begins = `error: the design service at DESIGN_API_BASE_URL keeps failing, so requests wait (HTTP 503)`;
  const ask = async () => {
    const { id } = service.cards.add({ title: 'Spring banner' });
    await answerTo(world, me, `status ${id}`);
  };

  service.faults.add({ kind: 'status', status: 503 });
  await ask();
  await ask();
  await ask();
  expect(lines()).toEqual([begins]);

  service.faults.clear();
  // Of several keys, some may still work.
  await ask();
  expect(lines()).toEqual([begins]);
  advanceMonotonicClock(3 * MINUTE_MS);
  await ask();
  expect(lines()).toEqual([
    begins,
    'info: the design service at DESIGN_API_BASE_URL works again (undefined)',
  ]);
});
