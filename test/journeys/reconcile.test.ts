import { describe, expect } from 'vitest';
import { objectsOf } from '../stand-ins/slack/json.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOf } from '../stand-ins/slack/views/elements.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { sendRequest, sentRequest } from './form.ts';
import { answerTo, changeSettings } from './links.ts';
import { CHECKING, withProject } from './searching.ts';
import { it, startWorld, type World } from './world.ts';

const asked = ({ acme, ann }: World) =>
  acme.directMessages(ann).find((message) => textOfMessage(message).includes('Found it'));
const buttonsIn = (message: Message) =>
  objectsOf(message.blocks)
    .flatMap(({ elements }) => objectsOf(elements))
    .map(({ text }) => textOf(text));

describe('a request in doubt, in a workspace that has set its project', () => {
  it('is found there by its reference and confirmed without asking', async () => {
    const { world, service, me, cardUrl } = await startWorld();
    await changeSettings(world, { 'Project ID': 'project-1' });
    service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
    const posted = await sentRequest(world, me);
    const cardId = service.calls({ operation: 'createCard' })[0]?.createdCardId ?? '';
    expect(textOfMessage(posted)).toContain(cardUrl(cardId));
    expect(asked(world)).toBeUndefined();
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('is searched for until it is listed, over a restart, while its author is told quietly', async () => {
    const { world, searched, later } = await withProject();
    const { acme, ann, general, service, slack, me } = world;
    service.answers.tasksShape = 'html';
    service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
    await sendRequest(world, me);
    await slack.until(() => me.sees().includes(CHECKING), 'that it is searched for');
    expect(me.sees()).toContain(
      'This can take ten minutes. You can close this: we’ll message you.',
    );
    await expect.poll(searched).toBe(1);
    await later(5);
    expect(searched()).toBe(2);

    await world.restart();
    const listed = await answerTo(world, me, 'list');
    expect(textOfMessage(listed)).toContain(CHECKING);
    expect(textOfMessage(listed)).not.toContain('send again');
    expect(textOfMessage(listed)).not.toContain('Request again');
    service.answers.tasksShape = 'data-array';
    await later(10);
    expect(searched()).toBe(3);
    await slack.until(() => acme.messages(general)[0], 'the confirmation');
    expect(acme.directMessages(ann)).toEqual([]);
    await slack.until(() => me.sees().includes('Sent'), 'the outcome in the modal');
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('is asked about after ten minutes of searching, with longer and longer pauses', async () => {
    const { world, searched, later } = await withProject();
    world.service.faults.add({
      operation: 'createCard',
      times: 1,
      kind: 'status',
      status: 503,
      executed: false,
    });
    await sendRequest(world, world.acme.as(world.ann));
    await expect.poll(searched).toBe(1);
    for (const [seconds, count] of [
      [4, 1],
      [1, 2],
      [10, 3],
      [20, 4],
      [40, 5],
      [80, 6],
      [160, 7],
      [280, 7],
    ] as const) {
      await later(seconds);
      expect(searched()).toBe(count);
      expect(asked(world)).toBeUndefined();
    }
    await later(10);
    expect(searched()).toBe(8);
    const question = await world.slack.until(() => asked(world), 'the question');
    const words =
      /We looked for \*(DR-\w+)\* in your project for ten minutes and didn’t find it\. Send it again\?/;
    expect(textOfMessage(question)).toMatch(words);
    expect(buttonsIn(question)).toEqual(['Send again', 'Found it', 'Discard']);
    expect(world.service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('isn’t said to have been searched for if the last search failed', async () => {
    const { world, searched, later } = await withProject();
    world.service.faults.add({ operation: 'createCard', times: 1, kind: 'status', status: 503 });
    await sendRequest(world, world.acme.as(world.ann));
    await expect.poll(searched).toBe(1);
    world.service.faults.add({ operation: 'listTasks', kind: 'status', status: 403 });
    await later(3_600);
    const question = await world.slack.until(() => asked(world), 'the question');
    expect(textOfMessage(question)).toContain('Your design service had a problem');
    expect(textOfMessage(question)).not.toContain('We looked for');
  });

  it('is asked about at once if the service refuses the listing', async () => {
    const { world, searched, service } = await withProject();
    service.forbid(service.apiKey, { operation: 'listTasks' });
    service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
    await sendRequest(world, world.acme.as(world.ann));
    await world.slack.until(() => asked(world), 'the question');
    expect(searched()).toBe(1);
  });
});
