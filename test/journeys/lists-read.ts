import { expect } from 'vitest';

/**
 * Waits until the app has the request types and brands of some workspaces in memory. That the service was
 * called says less: its answer may still be on the way.
 */
export async function listsRead(world: { app: { url: string } }, workspaces = 1): Promise<void> {
  const read = async () => {
    const metrics = await (await fetch(`${world.app.url}/metrics`)).text();
    return Math.min(answersOf(metrics, 'request_types'), answersOf(metrics, 'brands'));
  };
  await expect
    .poll(read, { interval: 10, message: 'workspaces whose lists were read' })
    .toBeGreaterThanOrEqual(workspaces);
}

/** How often a cache was asked for a list: each is asked for at the start. */
function answersOf(metrics: string, cache: string): number {
  const line = `design_request_cache_answers_total{cache="${cache}",answer="(?:hit|miss)"} (\\d+)`;
  return [...metrics.matchAll(new RegExp(line, 'g'))].reduce((sum, [, n]) => sum + Number(n), 0);
}
