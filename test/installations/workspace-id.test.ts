import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const SOURCE = new URL('../../src/', import.meta.url);
const DEFINED_IN = 'installations/workspace-id.ts';
const IMPORTS_IT = /from '[^']*\/workspace-id\.ts'/;

/** Who may make an id of a text, or put an organisation in a workspace's place. */
const MAKERS: Record<string, string[]> = {
  workspaceIdOf: [
    // What `oauth.v2.access` and `auth.test` say of a token.
    'slack/install/token-exchange.ts',
    'slack/tenancy/one-workspace.ts',
    // Signed payloads, and what Bolt hands on of our own `authorize`.
    'slack/listener/replies.ts',
    'slack/tenancy/tenant.ts',
    'slack/tenancy/uninstalled.ts',
  ],
  organisationIdOf: [
    'slack/install/token-exchange.ts',
    'slack/tenancy/tenant.ts',
    'slack/tenancy/one-workspace.ts',
  ],
  asWorkspace: [
    'slack/install/keep-installation.ts',
    'slack/tenancy/many-workspaces.ts',
    'slack/tenancy/one-workspace.ts',
    'installations/connect-key.ts',
    'installations/disconnect-key.ts',
    'installations/forget-workspace.ts',
  ],
};

/** Other ways to take something for an id: casts of TypeScript's, Kysely's and zod's. */
const CAST =
  /\b(?:as|satisfies) (?:WorkspaceId|OrganisationId|OwnerId)\b|\b(?:castTo|narrowType|sql|custom|cast)<[^>]*(?:WorkspaceId|OrganisationId|OwnerId)/;

const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCE })
  .filter((file) => file !== DEFINED_IN)
  .map((file) => ({ file, text: readFileSync(new URL(file, SOURCE), 'utf8') }));

const filesWith = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .toSorted();

const importers = filesWith(IMPORTS_IT);

describe('an id of a workspace', () => {
  it.each(Object.entries(MAKERS))('comes from %s in these files alone', (maker, files) => {
    const using = filesWith(new RegExp(`\\b${maker}\\b`)).filter((file) =>
      importers.includes(file),
    );
    expect(using).toEqual(files.toSorted());
  });

  it('is made by no cast, but where a query leaves out what is none', () => {
    expect(filesWith(CAST)).toEqual(['store/workspaces-in-use.ts']);
  });
});
