import { expect, it } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect, note, waitingRequest } from './connecting.ts';
import { jobsHandled } from './links.ts';

it('the author of a waiting request is asked to finish it in a new message, since Slack notifies nobody of a changed one', async () => {
  const { world, acme, ann, service, ada } = await waitingRequest();
  const [waiting] = acme.directMessages(ann);
  // The new key is of an account where the request's type means something else.
  const [social] = service.referenceLists.requestTypes.filter(({ id }) => id === 'type-social');
  if (social) social.name = 'Vehicle wraps';
  await connect(world, ada, service.issueKey());
  await note(world, 'Finish your request');
  await jobsHandled(world, 'announce-request');
  const messages = acme.directMessages(ann);
  expect(messages.map(textOfMessage)).toEqual([expect.stringContaining('Finish your request')]);
  expect(messages[0]?.ts).not.toBe(waiting?.ts);
});
