import { expect } from 'vitest';
import { dueJobs } from './database-rows.ts';
import { changeSettings, NO_CARD } from './links.ts';
import { startWorld, type World } from './world.ts';

export const searches = ({ service }: World) => service.calls({ operation: 'listTasks' }).length;
export const CHECKING = 'Checking whether your request arrived';

/** A world that searches in project-1, and whose clock only moves when it is told to. */
export async function withProject() {
  let now = Date.now();
  const world = await startWorld({ clock: () => new Date(now) });
  await changeSettings(world, { 'Project ID': 'project-1' });
  const before = searches(world);
  const dueSearches = () => dueJobs(world, now, 'reconcile-request');
  return {
    ...world,
    searched: () => searches(world) - before,
    /** Moves the clock, and waits until every search that is due by then was made. */
    async later(seconds: number) {
      // The next search is set by the clock when one ends, shortly after its call.
      await expect.poll(dueSearches).toBe(0);
      now += seconds * 1_000;
      await world.acme.as(world.admin).post(world.general, NO_CARD);
      await expect.poll(dueSearches).toBe(0);
    },
  };
}
