import { describe, expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import type { Answers } from '../stand-ins/design-service/answers.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { openFormFrom, submitUntil } from './form.ts';
import { ALLOW_GUESTS, changeSettings } from './links.ts';
import { it, startWorld, type World } from './world.ts';

const FIELD = 'Project ID';
const SAVED = 'Settings saved';

/** Connects with a project, and waits for these words. */
async function connectWith(world: World, ada: Person, project: string, words: string) {
  if (ada.currentView()) await ada.close({ all: true });
  await openFormFrom(world, ada, 'connect', 'API key');
  await ada.fill({ 'API key': world.service.apiKey, [FIELD]: project });
  await submitUntil(world, ada, words);
}

/** Saves a project in the settings, and waits for these words. */
async function settingsWith(world: World, ada: Person, project: string, words = SAVED) {
  await openSettings(world, ada);
  await ada.fill({ [FIELD]: project, 'Guests and other companies': [ALLOW_GUESTS] });
  await submitUntil(world, ada, words);
}

async function openSettings(world: World, ada: Person): Promise<void> {
  if (ada.currentView()) await ada.close({ all: true });
  await openFormFrom(world, ada, 'settings', 'Card links');
}

/** The project and whether guests are allowed, as the settings show them. */
async function saved(world: World, ada: Person) {
  await openSettings(world, ada);
  const guests = JSON.stringify(ada.field('Guests and other companies').value);
  const { value } = ada.field(FIELD).value as { value?: string | null };
  return { project: value ?? '', guests: guests.includes('guestsAllowed') };
}

describe('the project in the connect modal', () => {
  it('is tested and saved with the key', async () => {
    const { world, service, ada } = await startWorld({ connected: false });
    await connectWith(world, ada, ' project-1 ', 'Connected');
    expect(ada.sees()).not.toContain('project');
    expect(service.calls({ operation: 'listTasks' })).toHaveLength(1);
    expect((await saved(world, ada)).project).toBe('project-1');
  });

  it('may be left empty, and is offered again', async () => {
    const { world, service, ada } = await startWorld({ connected: false });
    await connectWith(world, ada, '', 'Connected');
    expect(service.calls({ operation: 'listTasks' })).toEqual([]);
    await connectWith(world, ada, 'project-1', 'Connected');
    await ada.close({ all: true });
    await openFormFrom(world, ada, 'connect', 'API key');
    expect(ada.field(FIELD).value).toMatchObject({ value: 'project-1' });
  });

  it.each<Answers['unknownProject']>(['not-found', 'forbidden', 'invalid'])(
    'is asked for again if it is wrong (%s); the key is connected',
    async (answer) => {
      const { world, service, ada } = await startWorld({ connected: false });
      service.answers.unknownProject = answer;
      await connectWith(world, ada, 'project-9', 'no such project');
      expect(ada.sees()).toContain('Connected');
      expect(hasField(ada, 'API key')).toBe(false);
      expect(ada.field(FIELD).value).toMatchObject({ value: 'project-9' });
      await ada.fill({ [FIELD]: 'project-8' });
      await submitUntil(world, ada, 'no such project');
      await ada.fill({ [FIELD]: 'project-1' });
      await submitUntil(world, ada, 'Project saved');
      expect((await saved(world, ada)).project).toBe('project-1');
    },
  );

  it('is the one that another admin has set since, unless it was changed in the form', async () => {
    const { world, acme, service, ada } = await startWorld();
    const olga = acme.as(acme.addUser({ name: 'Olga', owner: true }));
    const replaceKey = async (change: { [FIELD]?: string | null }) => {
      await ada.fill({ 'API key': service.apiKey, ...change });
      await submitUntil(world, ada, 'Connected');
      await ada.close({ all: true });
    };
    const openConnect = () => openFormFrom(world, ada, 'connect', 'API key');
    await openConnect();
    await settingsWith(world, olga, 'project-1');
    await replaceKey({});
    expect((await saved(world, olga)).project).toBe('project-1');

    await openConnect();
    await replaceKey({ [FIELD]: null });
    expect((await saved(world, olga)).project).toBe('');
  });

  it('is left out, and the admin told, if the key may not list cards', async () => {
    const { world, service, ada } = await startWorld({ connected: false });
    service.forbid(service.apiKey, { operation: 'listTasks' });
    await connectWith(world, ada, 'project-1', 'can’t list cards');
    expect(ada.sees()).toContain('Connected');
    expect((await saved(world, ada)).project).toBe('');
  });
});

describe('the project in the settings', () => {
  it('is not saved if it is wrong, and nothing chosen is lost', async ({ world, ada }) => {
    await settingsWith(world, ada, 'project-9', 'no such project');
    expect(ada.field(FIELD).value).toMatchObject({ value: 'project-9' });
    expect(JSON.stringify(ada.field('Guests and other companies').value)).toContain(
      'guestsAllowed',
    );
    await ada.fill({ [FIELD]: 'project-1' });
    await submitUntil(world, ada, SAVED);
    expect(await saved(world, ada)).toEqual({ project: 'project-1', guests: true });
  });

  it('is left out, and the rest saved, if the service lists no cards', async () => {
    const { world, service, ada } = await startWorld();
    service.answers.tasksShape = 'not-found';
    await settingsWith(world, ada, 'project-1', 'can’t list cards');
    expect(await saved(world, ada)).toEqual({ project: '', guests: true });
  });

  it('is kept as typed while the service can’t answer', async ({ world, service, ada }) => {
    const down = { operation: 'listTasks', kind: 'status', status: 503 } as const;
    const heal = service.faults.add(down);
    await settingsWith(world, ada, 'project-1', 'to check the project');
    heal();
    await submitUntil(world, ada, SAVED);
    expect((await saved(world, ada)).project).toBe('project-1');
  });

  it('is saved with a remark if it has no cards, or can’t be tested without a key', async () => {
    const { world, service, ada } = await startWorld();
    service.answers.unknownProject = 'empty';
    await settingsWith(world, ada, 'project-9', 'no cards yet');
    expect((await saved(world, ada)).project).toBe('project-9');
    service.revokeKey(service.apiKey);
    await settingsWith(world, ada, 'project-7', 'when you connect');
    expect((await saved(world, ada)).project).toBe('project-7');
  });

  it('is not tested again if only other settings change', async ({ world, service, ada }) => {
    await settingsWith(world, ada, 'project-1');
    await ada.close({ all: true });
    await changeSettings(world, { 'Guests and other companies': [ALLOW_GUESTS] });
    expect(service.calls({ operation: 'listTasks' })).toHaveLength(1);
  });
});
