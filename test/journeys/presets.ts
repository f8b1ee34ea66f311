import { hasField } from '../sandbox/complete-form.ts';
import type { FieldValue } from '../stand-ins/slack/people/field-values.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { chooseType } from './form.ts';
import type { World } from './world.ts';

/** Opens a preset from the settings, with everything else closed. */
export async function openPreset(world: World, admin: Person, button: string): Promise<void> {
  if (admin.currentView()) await admin.close({ all: true });
  await admin.command(world.general, 'settings');
  await world.slack.until(() => hasField(admin, 'Card links'), 'the settings');
  await admin.click({ text: button });
  await world.slack.until(() => hasField(admin, 'Brief template'), 'the preset');
}

/** Opens a preset from the settings, changes it, and waits for the outcome. */
export async function setPreset(
  world: World,
  admin: Person,
  button: string,
  changes: Record<string, FieldValue>,
): Promise<void> {
  await openPreset(world, admin, button);
  const { 'Request type': type, ...others } = changes;
  if (type !== undefined) await chooseType(world, admin, type);
  await admin.fill(others);
  await admin.submit();
  await world.slack.until(() => /Preset (saved|removed)/.test(admin.sees()), 'the outcome');
}
