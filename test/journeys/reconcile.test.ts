import { describe, expect, it } from 'vitest';
import type { Answers } from '../stand-ins/design-service/answers.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { hasField, sendRequest } from './form.ts';
import { startWorld, type World } from './world.ts';

/** Sets the service's project in the settings, as an admin. */
async function setProject(world: World, project: string): Promise<void> {
  const ada = world.acme.as(world.admin);
  await ada.command(world.general, 'settings');
  await world.slack.until(() => hasField(ada, 'Project ID'), 'the settings');
  await ada.fill({ 'Project ID': project });
  await ada.submit();
  await world.slack.until(() => ada.sees().includes('Settings saved'), 'the settings to be saved');
}

const asked = ({ acme, ann }: World) =>
  acme
    .directMessages(ann)
    .find((message) => textOfMessage(message).includes('Did this request arrive'));

describe('a request in doubt, in a workspace that has set its project', () => {
  it.each(['data-array', 'data-items', 'bare-array'] as const)(
    'is found there by its reference and confirmed without asking (%s)',
    async (tasksShape: Answers['tasksShape']) => {
      const world = await startWorld();
      const { acme, ann, general, service, slack } = world;
      await setProject(world, 'project-1');
      service.answers.tasksShape = tasksShape;
      service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
      await sendRequest(world, acme.as(ann));
      const posted = await slack.until(() => acme.messages(general)[0], 'the confirmation');
      const cardId = service.calls({ operation: 'createCard' })[0]?.createdCardId ?? '';
      expect(textOfMessage(posted)).toContain(world.cardUrl(cardId));
      expect(asked(world)).toBeUndefined();
      expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
    },
  );

  it.each([
    ['the listing can’t be read', 'html', true],
    ['there is no listing', 'not-found', true],
    ['the listing is empty', 'empty-object', true],
    ['it never arrived', 'data-array', false],
  ] as const)('is asked about when %s', async (_name, tasksShape, arrived) => {
    const world = await startWorld();
    await setProject(world, 'project-1');
    world.service.answers.tasksShape = tasksShape;
    world.service.faults.add({
      operation: 'createCard',
      times: 1,
      kind: 'status',
      status: 503,
      executed: arrived,
    });
    await sendRequest(world, world.acme.as(world.ann));
    await world.slack.until(() => asked(world), 'the question');
    expect(world.service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('is not searched for if no project is set', async () => {
    const world = await startWorld();
    world.service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
    await sendRequest(world, world.acme.as(world.ann));
    await world.slack.until(() => asked(world), 'the question');
    expect(world.service.calls({ operation: 'listTasks' })).toEqual([]);
  });
});
