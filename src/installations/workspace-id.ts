declare const kind: unique symbol;

/**
 * The ID of a Slack workspace, such as `T0123`, by which all data is separated. The type prevents using
 * the ID of a person, a channel, or another company instead.
 */
export type WorkspaceId = string & { readonly [kind]: 'workspace' };

/** The ID of an Enterprise Grid organization, such as `E0123`. */
export type OrganizationId = string & { readonly [kind]: 'organization' };

/** An installation and a key belong to a workspace, or to an organization for its workspaces. */
export type OwnerId = WorkspaceId | OrganizationId;

/**
 * Call this only where Slack itself names our own installation: in a signed payload, in the answer about
 * a token, or in what `authorize` has returned. A test lists the callers.
 */
export const workspaceIdOf = (text: string): WorkspaceId => text as WorkspaceId;

export const organizationIdOf = (text: string): OrganizationId => text as OrganizationId;

/** For events without a known workspace, an organization takes its place, with only its own key. */
export const asWorkspace = (owner: OwnerId): WorkspaceId => workspaceIdOf(owner);
