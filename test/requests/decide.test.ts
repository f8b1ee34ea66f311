import { expect, it } from 'vitest';
import { type Decision, decideInDoubt } from '../../src/requests/decide.ts';
import { T1 } from '../installations/ids.ts';
import { requestsUnderTest } from './requests-under-test.ts';

it('the author of a request in doubt decides once, however often and whatever is pressed', async () => {
  const { submit, design, announced, posts, ctx } = await requestsUnderTest();
  design.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
  await submit('r1');
  await expect.poll(() => announced).toHaveLength(1);
  const author = { workspaceId: T1, userId: 'U1' };
  const decide = (decision: Decision) =>
    decideInDoubt(ctx, { ...author, requestId: 'r1', decision });
  const pressed: Decision[] = ['send_again', 'send_again', 'discard'];
  const results = await Promise.all(pressed.map((decision) => decide(decision)));
  expect(results.filter(({ done }) => done)).toHaveLength(1);
  await expect.poll(() => announced.at(-1)?.state).toBe('created');
  expect(posts()).toBe(2);
  expect(await decide('send_again')).toMatchObject({
    done: false,
    request: { state: 'created' },
  });
  expect(posts()).toBe(2);
});
