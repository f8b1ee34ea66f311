import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../src/installations/workspace-id.ts';
import { type Decision, decideInDoubt } from '../../src/requests/decide.ts';
import { T1 } from '../installations/ids.ts';
import { requestsUnderTest } from './requests-under-test.ts';

/** A request of U1 in T1 in doubt. */
async function inDoubt() {
  const requests = await requestsUnderTest();
  const { submit, design, announced, ctx } = requests;
  design.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
  await submit('r1');
  await expect.poll(() => announced).toHaveLength(1);
  const decide = (decision: Decision, who: { workspaceId?: WorkspaceId; userId?: string } = {}) =>
    decideInDoubt(ctx, { workspaceId: T1, userId: 'U1', ...who, requestId: 'r1', decision });
  return { ...requests, decide };
}

it('the author of a request in doubt decides once, however often and whatever is pressed', async () => {
  const { decide, announced, posts } = await inDoubt();
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

it('a request that isn’t in doubt can be discarded if the service rejected it', async () => {
  const { submit, ctx, announced, design } = await requestsUnderTest();
  design.faults.add({ kind: 'status', status: 400, operation: 'createCard' });
  await submit('r1');
  await expect.poll(() => announced).toHaveLength(1);
  const mine = { workspaceId: T1, userId: 'U1', requestId: 'r1' };
  expect(await decideInDoubt(ctx, { ...mine, decision: 'send_again' })).toMatchObject({
    done: false,
  });
  expect(await decideInDoubt(ctx, { ...mine, decision: 'discard' })).toMatchObject({
    done: true,
    request: { state: 'discarded' },
  });
});
