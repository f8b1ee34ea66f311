import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { prepareForm } from '../faults/forms.ts';
import { openSetting, startApp } from './app.ts';

/** A page and its header in the write-ahead log, in bytes: less than a commit. */
const PART_OF_A_COMMIT = 4096 + 24;

it.each<[string, (log: string) => Promise<number>]>([
  ['nothing fits', async () => 0],
  ['a part of a commit fits', async (log) => (await stat(log)).size + PART_OF_A_COMMIT],
])(
  'on a full disk, where %s, nothing is acknowledged, and what is repeated later happens once',
  async (_what, fits) => {
    const setting = await openSetting();
    const { slack, service, acme, ann, general, cardUrl } = setting.stage;
    const app = await startApp(setting);
    const me = acme.as(ann);
    await prepareForm(setting.stage, me, 'Spring banner');
    const [card] = service.cards.all();
    const log = `${setting.env.DATABASE_URL?.replace('sqlite:', '')}-wal`;
    /** None of its files may grow beyond this size (setrlimit(2), RLIMIT_FSIZE). */
    const limitFiles = (bytes: number | 'unlimited') =>
      promisify(execFile)('prlimit', [`--pid=${app.pid}`, `--fsize=${bytes}:unlimited`]);

    await limitFiles(await fits(log));
    const refused = await me.submit();
    expect(Object.values(refused.errors).join()).toContain('couldn’t save your request');
    const message = await me.post(general, cardUrl(card?.id ?? ''));
    const link = await slack.until(
      () => slack.deliveries.find(({ kind, attempts }) => kind === 'event' && attempts.length > 1),
      'the first retry',
    );
    expect(link.attempts).toMatchObject([{ status: 500 }, { status: 500 }]);
    expect(service.calls({ operation: 'createCard' })).toEqual([]);

    await limitFiles('unlimited');
    expect((await me.submit()).outcome).toBe('updated');
    await slack.redeliver(link);
    await slack.until(() => message.attachments[0], 'the unfurl');
    await slack.until(() => acme.messages(general).find(({ botId }) => botId), 'the confirmation');
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  },
);
