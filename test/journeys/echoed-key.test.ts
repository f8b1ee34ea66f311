import { expect } from 'vitest';
import { sendRequest, untilSees } from './form.ts';
import { answerTo, eventsHandled, postShown } from './links.ts';
import { it, startWorld } from './world.ts';

it('an API key that the service echoes in every text is never shown or stored', async () => {
  const { world, acme, ann, service, slack, me, cardUrl } = await startWorld();
  const { id } = service.cards.add({ title: 'Autumn poster', description: '<p>In orange</p>' });
  service.cards.addFile(id, { name: 'poster.png' });
  service.faults.add({ kind: 'echoed-key' });
  // Earlier answers are cached, but only in memory.
  await world.restart();

  const message = await postShown(world, me, cardUrl(id));
  await me.click({ message, text: 'Refresh' });
  for (const typed of [`status ${id}`, 'types', 'brands', 'brands brand-1', 'tags', 'list']) {
    await answerTo(world, me, typed);
  }
  const card = acme.ephemerals(ann).find(({ blocks }) => JSON.stringify(blocks).includes('Share'));
  if (!card) throw new Error('The card was not shown');
  await me.click({ ephemeral: card, text: 'Share in this channel' });
  await sendRequest(world, me, {
    'Request type': 'Social media [API key]',
    Product: 'Graphics [API key]',
    Software: 'Figma [API key]',
    'File formats': ['PNG [API key]'],
  });
  // The stand-in knows its request types by IDs without the key in them.
  await untilSees(world, me, 'send again. Nothing is lost');
  await eventsHandled(world);

  // The world looks for the whole key everywhere.
  const said = JSON.stringify(slack.apiCalls);
  expect(said).toContain('Autumn poster [API key]');
  expect(said).not.toContain(service.apiKey.slice(0, -4));
});
