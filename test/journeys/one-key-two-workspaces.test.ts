import { describe, expect, it } from 'vitest';
import type { User } from '../stand-ins/slack/state/model.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';
import { install } from './browser.ts';
import { connect } from './connecting.ts';
import { startWorld } from './world.ts';

/** Acme and Other, both connected with the same key. */
async function oneKey() {
  const { world, acme, admin, general, slack, service } = await startWorld({ many: true });
  const key = service.issueKey();
  const other = slack.addWorkspace({ name: 'Other', installed: false });
  const olga = other.addUser({ name: 'Olga', admin: true });
  const lobby = other.addChannel({ name: 'lobby', members: [olga] });
  const join = async (workspace: Workspace, user: User, channel: typeof general) => {
    await install(world, workspace, user);
    await connect({ ...world, general: channel }, workspace.as(user), key);
    return (id: string) => workspace.as(user).post(channel, world.cardUrl(id));
  };
  return {
    ...world,
    inAcme: await join(acme, admin, general),
    inOther: await join(other, olga, lobby),
    reads: () => service.calls({ operation: 'getCard' }).length,
  };
}

describe('two workspaces with the same API key', () => {
  it('each read a card for themselves', async () => {
    const { slack, inAcme, inOther, reads } = await oneKey();
    for (const post of [inAcme, inOther, inAcme, inOther]) {
      const message = await post('card-1001');
      await slack.until(() => message.attachments[0], 'the unfurl');
    }
    expect(reads()).toBe(2);
  });

  it('share one budget: what the service tells one applies to the other', async () => {
    const { slack, service, inAcme, inOther, reads, logLines } = await oneKey();
    service.faults.add({ kind: 'rate-limited', retryAfter: 2, operation: 'getCard', times: 1 });
    const waiting = () =>
      logLines.filter((line) => line.includes('could not read a card for a link')).length;
    const first = await inAcme('card-1001');
    await expect.poll(waiting).toBe(1);
    const second = await inOther('card-1002');
    await expect.poll(waiting).toBe(2);
    expect(reads()).toBe(1);
    await slack.until(() => first.attachments[0] && second.attachments[0], 'both unfurls');
  });
});
