import { copyFile, mkdir, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { openFilledForm } from './form.ts';
import { outageLines } from './outage-lines.ts';
import { it, startWorld, type World } from './world.ts';

const PARTS = ['app.db', 'app.db-wal', 'app.db-shm', 'app.db.lock'];

const move = (from: string, to: string) =>
  Promise.all(PARTS.map((name) => rename(join(from, name), join(to, name))));

/** What operators and their tools do to the files of a running app. */
const FAULTS: [string, (folder: string) => Promise<unknown>][] = [
  ['deleted', (folder) => rm(join(folder, 'app.db'))],
  [
    'replaced by a copy',
    async (folder) => {
      await copyFile(join(folder, 'app.db'), join(folder, 'copy.db'));
      await rename(join(folder, 'copy.db'), join(folder, 'app.db'));
    },
  ],
  ['emptied', (folder) => truncate(join(folder, 'app.db'))],
  ['left without its log', (folder) => rm(join(folder, 'app.db-wal'))],
  [
    'left without its lock, so that another process could start',
    (folder) => rm(join(folder, 'app.db.lock')),
  ],
];

const readiness = async ({ app }: World) => (await fetch(`${app.url}/readyz`)).status;

describe('the database of a running app that is', () => {
  it.each(FAULTS)('%s: nothing more is acknowledged, and the app says so', async (_what, cause) => {
    const { world, general, service, slack, me, folder } = await startWorld({ retryDelaysMs: [0] });
    await openFilledForm(world, me);
    expect(await readiness(world)).toBe(200);
    await cause(folder);
    expect((await me.submit()).outcome).toBe('errors');
    const [card] = service.cards.all();
    await me.post(general, world.cardUrl(card?.id ?? ''));
    await slack.idle();
    expect(slack.deliveries.findLast(({ kind }) => kind === 'event')?.acknowledged).toBe(false);
    await expect.poll(() => readiness(world)).toBe(503);
    expect(outageLines(world)).toEqual([
      expect.stringMatching(
        /in DATABASE_URL can’t be used.*was moved, replaced, emptied, or deleted/,
      ),
    ]);
    expect(service.calls({ operation: 'createCard' })).toEqual([]);
  });

  it('renamed while nobody uses the app: the app says so', async ({ world }) => {
    await rename(join(world.folder, 'app.db'), join(world.folder, 'old.db'));
    await expect
      .poll(() => outageLines(world), { timeout: 10_000 })
      .toEqual([expect.stringContaining('was moved, replaced, emptied, or deleted')]);
  });

  it('moved back: the same process continues, and the form that stayed open can be sent', async () => {
    const { world, acme, general, service, slack, me, logLines } = await startWorld();
    await openFilledForm(world, me);
    const other = join(world.folder, 'other');
    await mkdir(other);
    await move(world.folder, other);
    const refused = await me.submit();
    expect(refused.outcome).toBe('errors');
    const problem = refused.errors.Title;
    expect(problem).toMatch(/couldn’t save your request \(E-[0-9A-Z]{6}\)/);
    const reference = /E-[0-9A-Z]{6}/.exec(problem ?? '')?.[0];
    expect(logLines.join('')).toContain(reference);
    await move(other, world.folder);
    await expect.poll(() => readiness(world)).toBe(200);
    expect((await me.submit()).outcome).toBe('updated');
    await slack.until(() => acme.messages(general).find(({ botId }) => botId), 'the confirmation');
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });
});
