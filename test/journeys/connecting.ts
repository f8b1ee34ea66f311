import { hasField } from '../sandbox/complete-form.ts';
import type { FieldValue } from '../stand-ins/slack/people/field-values.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { User } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { openFilledForm } from './form.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

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

/** The direct message to Ann, or someone else, with these words, once there is one. */
export const note = ({ slack, acme, ann }: World, words: string, who: User = ann) =>
  slack.until(
    () => acme.directMessages(who).find((message) => textOfMessage(message).includes(words)),
    `a message with “${words}”`,
  );

/** A request whose key was revoked while its form was open. */
export async function waitingRequest(
  options: WorldOptions = {},
  changes: Record<string, FieldValue> = {},
): Promise<World> {
  const { world, service, me } = await startWorld(options);
  await openFilledForm(world, me, changes);
  service.revokeKey(service.apiKey);
  await me.submit();
  await note(world, 'Your request is saved');
  return world;
}

/** Removes the workspace's key. */
export async function disconnect({ acme, admin, ada, general, slack }: World): Promise<void> {
  if (ada.currentView()) await ada.close({ all: true });
  await ada.command(general, 'disconnect');
  const ephemeral = await slack.until(() => acme.ephemerals(admin).at(-1), 'the question');
  await ada.click({ ephemeral, text: 'Disconnect' });
  const isDone = () => acme.ephemerals(admin).some(({ text }) => text.startsWith('Disconnected'));
  await slack.until(isDone, 'the answer');
}
