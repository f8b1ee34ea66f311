import { App } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { createClientPools } from '../../src/slack/client-pools.ts';
import { event } from './intake/deliveries.ts';

const receiver = { init: () => undefined, start: async () => {}, stop: async () => {} };

describe('the clients that Bolt keeps', () => {
  it('are kept here, and not for every workspace that ever was', async () => {
    const pools = createClientPools();
    const bolt = new App({
      receiver,
      tokenVerificationEnabled: false,
      authorize: async ({ teamId = '' }) => ({ botToken: `xoxb-${teamId}`, teamId }),
    });
    Reflect.set(bolt, 'clients', pools);
    const tokens: unknown[] = [];
    bolt.event('app_home_opened', async ({ client }) => void tokens.push(client.token));
    for (let index = 0; index <= 300; index += 1) {
      const body = event(`Ev${index}`, { authorizations: [{ team_id: `T${index}` }] });
      await bolt.processEvent({ body, ack: async () => undefined });
    }
    expect(tokens).toHaveLength(301);
    expect([tokens[0], tokens[300]]).toEqual(['xoxb-T0', 'xoxb-T300']);
    expect(pools.T300).toBeDefined();
    expect(pools.T0).toBeUndefined();
  });
});
