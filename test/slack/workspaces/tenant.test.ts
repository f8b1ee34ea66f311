import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../../src/slack/workspaces/tenant.ts';

const event = (fields: Record<string, unknown>) => ({
  type: 'event_callback',
  event_id: 'Ev1',
  event: { type: 'link_shared' },
  ...fields,
});
const orgWide = { team_id: null, enterprise_id: 'E1', is_enterprise_install: true };

describe('the tenant of an event', () => {
  it.each([
    [
      'the workspace of its context, if the authorization names the organization as team',
      { team_id: 'T9', context_team_id: 'T1', authorizations: [{ ...orgWide, team_id: 'E1' }] },
      'T1',
    ],
    [
      'its team if there is no authorization, as after an uninstall',
      { team_id: 'T1', authorizations: [] },
      'T1',
    ],
    [
      'unknown if there is no authorization and the channel is shared',
      { team_id: 'T9', is_ext_shared_channel: true },
      undefined,
    ],
  ])('is %s', (_where, fields, workspaceId) => {
    expect(tenantOf(event(fields)).workspaceId).toBe(workspaceId);
  });

  it('is an organization’s workspace only if the authorization says so', () => {
    expect(tenantOf(event({ authorizations: [orgWide] }))).toMatchObject({
      organizationId: 'E1',
      isOrgWide: true,
    });
    expect(
      tenantOf(event({ enterprise_id: 'E1', authorizations: [{ team_id: 'T1' }] })).isOrgWide,
    ).toBe(false);
  });
});

describe('the tenant of a command or interaction', () => {
  it('is the workspace where the modal’s app is installed', () => {
    const view = { app_installed_team_id: 'T1', team_id: 'T9' };
    expect(tenantOf({ team: { id: 'T9' }, view }).workspaceId).toBe('T1');
  });
});

describe('the tenant of any payload', () => {
  it('is found without throwing', () => {
    const anything = fc.anything({ maxDepth: 3, withNullPrototype: true });
    const keys = [
      'type',
      'team_id',
      'team',
      'user',
      'view',
      'enterprise',
      'authorizations',
      'context_team_id',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), anything), (body) => {
        const { workspaceId, claimedId, organizationId } = tenantOf(body);
        for (const found of [workspaceId, claimedId, organizationId]) {
          expect(found === undefined || (typeof found === 'string' && found !== '')).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
