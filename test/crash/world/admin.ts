import type { Person } from '../../stand-ins/slack/people/person.ts';
import { repeat } from './repeat.ts';
import type { World } from './world.ts';

/** Connects an API key in the modal, and repeats it until it is connected, even if the modal doesn't say so. */
export async function connectKey(world: World, by: Person, key: string): Promise<void> {
  const before = await keyOf(world);
  await repeat('the API key', async () => {
    const now = await keyOf(world);
    if (now?.state === 'active' && now.changed_at !== before?.changed_at) return true;
    if (by.currentView()) await world.act(() => by.close({ all: true }));
    const { error } = await world.act(() => by.command(world.general, 'connect'));
    if (error || !(await world.soon(() => by.sees().includes('API key')))) return false;
    await by.fill({ 'API key': key });
    await world.act(() => by.submit());
    return world.soon(() => by.sees().includes('Connected'));
  });
}

const keyOf = async ({ database, acme }: World) =>
  (
    await database.query(`select state, changed_at from api_keys where workspace_id = '${acme.id}'`)
  )[0];
