import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LEARNED } from '../../src/requests/form-defaults.ts';
import { UNFINISHED_FORM } from '../../src/requests/unfinished-forms.ts';
import { LAST_CHANNEL } from '../../src/slack/client/direct-messages.ts';
import { KEEP_INTERACTIONS_MS } from '../../src/slack/interaction/interactions.ts';
import {
  KEEP_AUDIT_ENTRIES_MS,
  KEEP_ENDED_REQUESTS_MS,
  KEEP_FINISHED_JOBS_MS,
  KEEP_WATCHES_MS,
} from '../../src/store/prune.ts';
import { WORKSPACE_TABLES } from '../../src/store/tables.ts';
import { temporaryDatabase } from './sqlite-files.ts';

const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');
const [tablesOfPage = '', kinds = ''] = page.split('### Small values');
const [ofWorkspaces = '', ofNone = ''] = tablesOfPage.split(
  "These tables don't belong to a workspace:",
);
/** The tables or kinds in the first column. */
const named = (text: string) =>
  [...text.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
/** The retention period, in the last column. */
const periodOf = (table: string) =>
  new RegExp(`^\\| \`${table}\` \\|.*\\|([^|]*)\\|$`, 'm').exec(page)?.[1] ?? '';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const SOURCE = new URL('../../src/', import.meta.url);

/** Each kind of entry. */
const kindsInSource = (): string[] =>
  globSync('**/*.ts', { cwd: SOURCE }).flatMap((path) =>
    [
      ...readFileSync(new URL(path, SOURCE), 'utf8').matchAll(
        /\b(?:entry|once|answer)Kind\(\s*'(\w+)'/g,
      ),
    ].map(([, kind = '']) => kind),
  );

describe('docs/privacy.md', () => {
  it('names every table, and each with data of a workspace is deleted with it', async () => {
    const { db } = await temporaryDatabase();
    const all = await db.introspection.getTables();
    const namesOf = (tables: typeof all) => tables.map(({ name }) => name).toSorted();
    const isOfWorkspace = ({ columns }: (typeof all)[number]) =>
      columns.some(({ name }) => name === 'workspace_id');
    const holding = namesOf(all.filter(isOfWorkspace));
    expect(named(ofWorkspaces).toSorted()).toEqual(holding);
    expect([...WORKSPACE_TABLES].toSorted()).toEqual(holding);
    expect(named(ofNone).toSorted()).toEqual(namesOf(all.filter((one) => !isOfWorkspace(one))));
  });

  it('names every kind of entry', () => {
    expect(named(kinds).toSorted()).toEqual(kindsInSource().toSorted());
  });

  it('states the app’s actual retention periods', () => {
    expect(periodOf('jobs')).toContain(`${KEEP_FINISHED_JOBS_MS / HOUR_MS} hours`);
    expect(periodOf('learned_choices')).toContain(`${(LEARNED.keepMs ?? 0) / DAY_MS} days`);
    expect(periodOf('unfinished_form')).toContain(`${(UNFINISHED_FORM.keepMs ?? 0) / DAY_MS} day`);
    expect(periodOf('last_channel')).toContain(`${(LAST_CHANNEL.keepMs ?? 0) / DAY_MS} days`);
    expect(periodOf('interaction')).toContain(`${KEEP_INTERACTIONS_MS / 60_000} minutes`);
    expect(periodOf('watched_cards')).toContain(`${KEEP_WATCHES_MS / DAY_MS} days`);
    expect(periodOf('audit_entries')).toContain(`${KEEP_AUDIT_ENTRIES_MS / DAY_MS} days`);
    expect(periodOf('requests')).toContain(`${KEEP_ENDED_REQUESTS_MS / DAY_MS} days`);
  });
});
