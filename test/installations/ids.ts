import {
  type OrganizationId,
  organizationIdOf,
  type WorkspaceId,
  workspaceIdOf,
} from '../../src/installations/workspace-id.ts';

/** An ID as Slack, or its stand-in, gives it. */
export const workspaceNamed = (id: string): WorkspaceId => workspaceIdOf(id);
const organizationNamed = (id: string): OrganizationId => organizationIdOf(id);

export const T1 = workspaceNamed('T1');
export const T2 = workspaceNamed('T2');
export const T3 = workspaceNamed('T3');
export const T4 = workspaceNamed('T4');
export const T5 = workspaceNamed('T5');
export const T7 = workspaceNamed('T7');
export const T9 = workspaceNamed('T9');
export const E1 = organizationNamed('E1');
export const E2 = organizationNamed('E2');
export const E9 = organizationNamed('E9');
