import type { App } from '@slack/bolt';
import { describe, expect, it, vi } from 'vitest';
import { at } from '../../store/stores-under-test.ts';
import { event } from './deliveries.ts';
import { signed, startIntake } from './intake-under-test.ts';

/** How often Slack sends an event at most: once, and three retries. */
const DELIVERIES = 4;

const repeat = <T>(times: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => run(index)));

describe('an event', () => {
  const listening = (ran: (id: string) => void) => (bolt: App) =>
    bolt.event('app_home_opened', async ({ body }) => ran(body.event_id));
  const body = JSON.stringify(event('Ev1'));
  const asRetry = (num: number) => ({
    ...signed(body, at(num)),
    'x-slack-retry-num': String(num),
    'x-slack-retry-reason': 'http_timeout',
  });

  it('that comes four times at once runs once', async () => {
    const ran = vi.fn();
    const { post, stored } = await startIntake(listening(ran));
    const answers = await repeat(DELIVERIES, (num) => post(body, asRetry(num)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await expect.poll(stored).toEqual(['slack-event done']);
    expect(ran).toHaveBeenCalledOnce();
  });

  it('whose last retry is the only one to arrive runs once', async () => {
    const ran = vi.fn();
    const { post, stored } = await startIntake(listening(ran));
    await post(body, asRetry(3));
    await expect.poll(stored).toEqual(['slack-event done']);
    expect(ran).toHaveBeenCalledOnce();
  });

  it('is recognized after a restart', async () => {
    const ran = vi.fn();
    const first = await startIntake(listening(ran));
    await first.post(body, asRetry(0));
    await expect.poll(first.stored).toEqual(['slack-event done']);
    const second = await startIntake(listening(ran), { folder: first.folder });
    await second.post(body, asRetry(1));
    expect(await second.stored()).toEqual(['slack-event done']);
    expect(ran).toHaveBeenCalledOnce();
  });

  it('belongs to the workspace that it is authorized for, not the poster’s', async () => {
    const { sendJson, db } = await startIntake();
    const workspaces = [
      event('Ev1', { team_id: 'T9', authorizations: [{ team_id: 'T1' }] }),
      event('Ev2', { team_id: 'T9', authorizations: [], context_team_id: 'T2' }),
      event('Ev3', {
        team_id: 'T9',
        authorizations: [{ team_id: null, enterprise_id: 'E1' }],
        context_team_id: 'T3',
      }),
      event('Ev4', { team_id: 'T4', authorizations: null, context_team_id: null }),
    ];
    for (const body of workspaces) await sendJson(body);
    const rows = await db.selectFrom('jobs').select('workspaceId').orderBy('id').execute();
    expect(rows.map(({ workspaceId }) => workspaceId)).toEqual(['T1', 'T2', 'T3', 'T4']);
  });
});
