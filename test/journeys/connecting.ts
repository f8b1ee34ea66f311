import { hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { World } from './world.ts';

/** Opens the connect modal and submits a key, without waiting for the result. */
export async function submitKey(
  world: World,
  admin: Person,
  key: string,
  beforeSending: () => Promise<void> = async () => undefined,
): Promise<void> {
  if (admin.currentView()) await admin.close({ all: true });
  await admin.command(world.general, 'connect');
  await world.slack.until(() => hasField(admin, 'API key'), 'the connect modal');
  await admin.fill({ 'API key': key });
  await beforeSending();
  await admin.submit();
}

export async function connect(world: World, admin: Person, key: string): Promise<void> {
  await submitKey(world, admin, key);
  await world.slack.until(() => admin.sees().includes('Connected'), 'the connection');
}
