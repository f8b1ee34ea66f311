import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { findRequests, requestTable } from '../../src/commands/jobs.ts';
import { aligned } from '../../src/commands/read-arguments.ts';
import { REQUEST_JOBS } from '../../src/requests/jobs.ts';
import { createRequestStore } from '../../src/store/requests.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { note } from './connecting.ts';
import { databaseOf } from './database-rows.ts';
import { openForm, openFormFrom, sendRequest, sentRequest } from './form.ts';
import { answerTo, changeSettings } from './links.ts';
import { setPreset } from './presets.ts';
import { it, startWorld } from './world.ts';

const TITLES = ['Spring banner', 'Summer banner'] as const;

/** What a newer version may have written, with what somebody typed. */
const UNREADABLE = '{"title":"Secret banner"';

it('one unreadable row of each table stops neither the start, nor lists, nor pruning', async () => {
  const { world, acme, general, slack, ada, me, logLines } = await startWorld();
  for (const [index, title] of TITLES.entries()) {
    await sendRequest(world, me, { Title: title });
    await slack.until(() => acme.messages(general)[index], 'the confirmation');
    await me.close({ all: true });
  }
  await changeSettings(world, { 'Card links': 'Large preview' });
  await setPreset(world, ada, 'Preset for this channel', { 'Request type': 'Social media' });
  await ada.close({ all: true });
  await openForm(world, me);
  await me.fill({ Title: 'Autumn banner' });
  await me.close({ all: true });
  await slack.idle();
  await world.app.stop();

  const db = databaseOf(world);
  for (const [table, column] of [
    ['watched_cards', 'told'],
    ['entries', 'value'],
    ['audit_entries', 'details'],
  ])
    await sql`update ${sql.table(table ?? '')} set ${sql.ref(column ?? '')} = ${UNREADABLE}`.execute(
      db,
    );
  await sql`update watched_cards set changed_at = 0`.execute(db);
  const [damaged] = await db.selectFrom('requests').select('id').orderBy('createdAt').execute();
  await sql`update requests set form = ${UNREADABLE}, announced_revision = 0
    where id = ${damaged?.id}`.execute(db);
  const job = {
    kind: REQUEST_JOBS.send,
    workspaceId: workspaceNamed(acme.id),
    payload: UNREADABLE,
    attempts: 1,
    fence: 1,
    priority: 1 as const,
    runAt: new Date(0),
    createdAt: new Date(0),
  };
  await db
    .insertInto('jobs')
    .values([
      { ...job, identity: 'crashed', state: 'running', crashes: 7 },
      { ...job, identity: 'waiting', state: 'ready', crashes: 0 },
    ])
    .execute();

  await world.restart();
  const stateOf = async (identity: string) =>
    (await db.selectFrom('jobs').select('state').where('identity', '=', identity).execute())[0];
  await expect.poll(() => stateOf('crashed')).toEqual({ state: 'failed' });
  await expect.poll(() => stateOf('waiting')).toEqual({ state: 'failed' });
  await expect.poll(() => db.selectFrom('watched_cards').selectAll().execute()).toEqual([]);
  for (const _time of ['once', 'again']) {
    const listed = await answerTo(world, me, 'list');
    expect(textOfMessage(listed)).toContain(TITLES[1]);
    expect(textOfMessage(listed)).not.toContain(TITLES[0]);
  }
  await sendRequest(world, me, { Title: 'Winter banner' });
  await slack.until(() => acme.messages(general)[TITLES.length], 'another confirmation');

  const named = logLines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'a row can’t be read')
    .map(({ table, row, workspace }) => `${table} ${workspace} ${row}`);
  for (const table of ['jobs', 'requests', 'watched_cards', 'entries'])
    expect(named).toContainEqual(expect.stringMatching(`^${table} `));
  expect(named).toEqual([...new Set(named)]);
  expect(logLines.join('')).not.toContain('Secret banner');
});

describe('a request that waits and', () => {
  /** A request that waits to be sent, with a job of that kind; the app is stopped. */
  async function waitingRequest(payload?: string, kind: string = REQUEST_JOBS.send) {
    const { world, slack, me } = await startWorld();
    await sentRequest(world, me);
    await slack.idle();
    await world.app.stop();
    const db = databaseOf(world);
    const { id, revision } = await db
      .updateTable('requests')
      .set((eb) => ({ state: 'queued', cardId: null, revision: eb('revision', '+', 1) }))
      .returning(['id', 'revision'])
      .executeTakeFirstOrThrow();
    const job = {
      kind,
      identity: `${kind}/${id}/${revision}`,
      payload: payload ?? JSON.stringify({ requestId: id, revision }),
      workspaceId: workspaceNamed(world.acme.id),
      state: 'ready' as const,
      priority: 1 as const,
      runAt: new Date(0),
      createdAt: new Date(0),
    };
    await db.insertInto('jobs').values(job).execute();
    return { ...world, db };
  }

  it('whose form can’t be read comes back to its author, and operators see it', async () => {
    const { world, db, service, me } = await waitingRequest();
    await db.updateTable('requests').set({ form: UNREADABLE }).execute();
    const listed = await findRequests(createRequestStore(db), undefined, { limit: 9 });
    expect(aligned(requestTable(listed, new Date()))).toMatch(/ queued .* unreadable$/m);
    await world.restart();
    const message = await note(world, 'can’t read what you filled in');
    await openFormFrom(world, me, { message, text: 'Fix and resend' });
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('whose job can’t be read comes back to its author', async () => {
    const { world } = await waitingRequest(UNREADABLE);
    await world.restart();
    await note(world, 'it keeps failing on our side');
  });

  it('can’t be announced in full is announced in one plain line', async () => {
    const { world, acme, ann, slack } = await waitingRequest(UNREADABLE, REQUEST_JOBS.announce);
    await world.restart();
    const plain = /^Your design request DR-\w+: .* To see it, type `\/design-request list`\.$/s;
    const isTold = () => acme.directMessages(ann).some((one) => plain.test(textOfMessage(one)));
    await slack.until(isTold, 'the news');
  });

  it('whose job is of a newer version is sent', async () => {
    const { world } = await waitingRequest('{"version":2}');
    await world.restart();
    await expect.poll(() => world.service.calls({ operation: 'createCard' }).length).toBe(2);
  });
});
