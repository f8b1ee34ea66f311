declare const kind: unique symbol;

/**
 * A Slack workspace's id, such as `T0123`: what every lookup, job and kept thing is named by. At run time
 * it is the plain text; the type keeps ids of people, channels and other companies out of its place.
 */
export type WorkspaceId = string & { readonly [kind]: 'workspace' };

/** An Enterprise Grid organisation's id, such as `E0123`. */
export type OrganisationId = string & { readonly [kind]: 'organisation' };

/** Who can have the app installed and a key connected: a workspace, or an organisation for its workspaces. */
export type OwnerId = WorkspaceId | OrganisationId;

/**
 * Takes a text for a workspace's id. To be called only where Slack itself says so, of our own
 * installation: in a signed payload, in the answer about a token, in what `authorize` gave to Bolt. What
 * the database holds has the type already. A test holds the list of callers.
 */
export const workspaceIdOf = (said: string): WorkspaceId => said as WorkspaceId;

/** The same for an organisation's id. */
export const organisationIdOf = (said: string): OrganisationId => said as OrganisationId;

/**
 * An owner in a workspace's place. A workspace is in its own; an organisation stands there for itself
 * where something happens in none of its workspaces that is known. It has nothing there but its own key.
 */
export const asWorkspace = (owner: OwnerId): WorkspaceId => workspaceIdOf(owner);
