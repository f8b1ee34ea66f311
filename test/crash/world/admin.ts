import type { Person } from '../../stand-ins/slack/people/person.ts';
import { repeat } from './repeat.ts';
import type { World } from './world.ts';

/** Connects an API key in the modal, and repeats it until the modal says so. */
export async function connectKey(world: World, by: Person, key: string): Promise<void> {
  await repeat('the API key', async () => {
    if (by.currentView()) await world.act(() => by.close({ all: true }));
    const { error } = await world.act(() => by.command(world.general, 'connect'));
    if (error || !(await world.soon(() => by.sees().includes('API key')))) return false;
    await by.fill({ 'API key': key });
    await world.act(() => by.submit());
    return world.soon(() => by.sees().includes('Connected'));
  });
}
