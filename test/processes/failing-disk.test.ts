import { execFile } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { prepareForm } from '../faults/forms.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { openSetting, type Setting, startApp } from './app.ts';
import type { Entry } from './entry.ts';

/** Begins a fault of the disk; returns what ends it. */
type Begin = (setting: Setting, app: Entry) => Promise<() => Promise<void>>;

/** A page and its header in the write-ahead log, in bytes. A commit writes more pages than one. */
const PART_OF_A_COMMIT = 4096 + 24;
/** The service answers the request this late that is sent before the fault. */
const STALL_MS = 1_000;

const pathOf = ({ env }: Setting) => env.DATABASE_URL?.replace('sqlite:', '') ?? '';

/** None of the app's files may grow beyond this size (setrlimit(2), RLIMIT_FSIZE). */
const limitFiles = ({ pid }: Entry, bytes: number | 'unlimited') =>
  promisify(execFile)('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);

const nothingFits: Begin = async (_setting, app) => {
  await limitFiles(app, 0);
  return async () => void (await limitFiles(app, 'unlimited'));
};

const partFits: Begin = async (setting, app) => {
  const { size } = await stat(`${pathOf(setting)}-wal`);
  await limitFiles(app, size + PART_OF_A_COMMIT);
  return async () => void (await limitFiles(app, 'unlimited'));
};

/** The file format's write version and the value that SQLite writes there for WAL; see below. */
const WRITE_VERSION_AT = 18;
const WAL_VERSION = 2;
const VERSION_OF_THE_FUTURE = 3;

/**
 * A write version unknown to SQLite makes a database read-only
 * (https://www.sqlite.org/fileformat.html#file_format_version_numbers). Afterwards the app has to be restarted.
 */
const readOnly: Begin = async (setting, app) => {
  await writeVersion(setting, VERSION_OF_THE_FUTURE);
  return async () => {
    app.kill('SIGTERM');
    await app.ended;
    await writeVersion(setting, WAL_VERSION);
    await startApp(setting);
  };
};

/** Changes one byte of the file, after everything in its log has been moved there. */
async function writeVersion(setting: Setting, version: number): Promise<void> {
  const database = new DatabaseSync(pathOf(setting), { timeout: 5_000 });
  try {
    // The app reads the file again only after another process has written to it.
    if (version !== WAL_VERSION) database.exec(`PRAGMA user_version = ${version}`);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  const file = await open(pathOf(setting), 'r+');
  await file.write(Uint8Array.of(version), 0, 1, WRITE_VERSION_AT);
  await file.close();
}

it.each<[string, Begin]>([
  ['a full disk where nothing fits', nothingFits],
  ['a full disk where a part of a commit fits', partFits],
  ['a read-only file', readOnly],
])(
  'with %s, nothing is acknowledged, and what is repeated later or was being sent happens once',
  { timeout: 90_000 },
  async (_what, begin) => {
    const setting = await openSetting();
    const { slack, service, acme, ada, ann, general, cardUrl } = setting.stage;
    const app = await startApp(setting);
    const me = acme.as(ann);
    await prepareForm(setting.stage, me, 'Spring banner');
    const [card] = service.cards.all();
    await prepareForm(setting.stage, acme.as(ada), 'Autumn poster');
    service.faults.add({ operation: 'createCard', kind: 'stall', ms: STALL_MS, times: 1 });
    expect((await acme.as(ada).submit()).outcome).toBe('updated');
    await sleep(STALL_MS / 3);

    const repair = await begin(setting, app);
    const refused = await me.submit();
    expect(Object.values(refused.errors).join()).toContain('couldn’t save your request');
    const message = await me.post(general, cardUrl(card?.id ?? ''));
    const link = await slack.until(
      () => slack.deliveries.find(({ kind, attempts }) => kind === 'event' && attempts.length > 1),
      'the first retry',
    );
    expect(link.attempts).toMatchObject([{ status: 500 }, { status: 500 }]);
    const created = () =>
      service.calls({ operation: 'createCard' }).filter(({ executed }) => executed);
    expect(created().length).toBeLessThanOrEqual(1);

    await repair();
    expect((await me.submit()).outcome).toBe('updated');
    await slack.redeliver(link);
    await slack.until(() => message.attachments[0], 'the unfurl');
    for (const title of ['Spring banner', 'Autumn poster']) {
      const posted = () => [...acme.messages(general), ...acme.directMessages(ada)];
      const isAbout = (text: string) => text.includes(title);
      await slack.until(
        () => posted().find((one) => one.botId && isAbout(`${one.text}${textOfMessage(one)}`)),
        `the confirmation or question about ${title}`,
        60_000,
      );
    }
    expect(created()).toHaveLength(2);
    const unfurls = slack.apiCalls.filter(
      ({ method, args }) => method === 'chat.unfurl' && args.ts === message.ts,
    );
    expect(unfurls).toHaveLength(1);
  },
);
