import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const SOURCE = new URL('../../src/', import.meta.url);
const DEFINED_IN = 'installations/workspace-id.ts';
const IMPORTS_IT = /from '[^']*\/workspace-id\.ts'/;

/** The files that may turn text into an ID, or treat an organization as a workspace. */
const MAKERS: Record<string, string[]> = {
  workspaceIdOf: [
    // From the answers of `oauth.v2.access` and `auth.test`.
    'slack/workspaces/token-exchange.ts',
    'slack/workspaces/configured-workspaces.ts',
    // From signed payloads, and what Bolt passes on from our own `authorize`.
    'slack/interaction/interactions.ts',
    'slack/workspaces/tenant.ts',
    // From links that the app itself has signed.
    'files/file-links.ts',
    'slack/card/gallery.ts',
    // From the answer of `auth.test` to the operator's own token.
    'commands/doctor/check.ts',
  ],
  organizationIdOf: [
    'slack/workspaces/token-exchange.ts',
    'slack/workspaces/tenant.ts',
    'slack/workspaces/configured-workspaces.ts',
  ],
  asWorkspace: [
    'slack/workspaces/workspaces.ts',
    'slack/workspaces/configured-workspaces.ts',
    'installations/connect-key.ts',
    'deletion.ts',
  ],
};

/** Other ways to turn something into an ID: casts in TypeScript, Kysely, and zod. */
const CAST =
  /\b(?:as|satisfies) (?:WorkspaceId|OrganizationId|OwnerId)\b|\b(?:castTo|narrowType|sql|custom|cast)<[^>]*(?:WorkspaceId|OrganizationId|OwnerId)/;

const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCE })
  .filter((file) => file !== DEFINED_IN)
  .map((file) => ({ file, text: readFileSync(new URL(file, SOURCE), 'utf8') }));

const filesWith = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .toSorted();

const importers = filesWith(IMPORTS_IT);

describe('a workspace ID', () => {
  it.each(Object.entries(MAKERS))('is created by %s only in these files', (maker, files) => {
    const using = filesWith(new RegExp(`\\b${maker}\\b`)).filter((file) =>
      importers.includes(file),
    );
    expect(using).toEqual(files.toSorted());
  });

  it('is created by no cast, except for the whole app', () => {
    expect(filesWith(CAST)).toEqual(['store/entries.ts']);
  });
});
