import { expect } from 'vitest';

/**
 * Waits until the app has the request types and brands of some workspaces in memory. That the service was
 * called says less: its answer may still be on the way.
 */
export async function listsRead(world: { app: { url: string } }, workspaces = 1): Promise<void> {
  const read = async () => {
    const metrics = await (await fetch(`${world.app.url}/metrics`)).text();
    return Math.min(missesOf(metrics, 'request_types'), missesOf(metrics, 'brands'));
  };
  await expect
    .poll(read, { interval: 10, message: 'workspaces whose lists were read' })
    .toBeGreaterThanOrEqual(workspaces);
}

/** How often the answer of a cache had to be fetched from the service. */
function missesOf(metrics: string, cache: string): number {
  const line = `design_request_cache_answers_total{cache="${cache}",answer="miss"} (\\d+)`;
  return Number(new RegExp(line).exec(metrics)?.[1] ?? 0);
}
