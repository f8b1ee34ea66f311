import { expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import { dueJobs } from './database-rows.ts';
import { NO_CARD } from './links.ts';
import { startWorld, type Transport, type World } from './world.ts';

export async function setProject(world: World, project: string): Promise<void> {
  const ada = world.acme.as(world.admin);
  await ada.command(world.general, 'settings');
  await world.slack.until(() => hasField(ada, 'Project ID'), 'the settings');
  await ada.fill({ 'Project ID': project });
  await ada.submit();
  await world.slack.until(() => /saved/i.test(ada.sees()), 'the settings to be saved');
}

export const searches = ({ service }: World) => service.calls({ operation: 'listTasks' }).length;
export const CHECKING = 'Checking whether your request arrived';

/** A world that searches in project-1, and whose clock only moves when it is told to. */
export async function withProject(transport: Transport = 'http') {
  let now = Date.now();
  const world = await startWorld({ transport, clock: () => new Date(now) });
  await setProject(world, 'project-1');
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
