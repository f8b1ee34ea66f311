import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrateDatabase } from '../../src/store/database.ts';
import { createStores } from '../../src/store/stores.ts';
import { T1 } from '../installations/ids.ts';
import { openSetting, sendRequest, startApp } from '../processes/app.ts';
import { runCommand, runEntry } from '../processes/entry.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { at, encryptionKey, keyringSetting } from '../store/stores-under-test.ts';
import { databaseForTest } from './database-for-test.ts';
import { openForTest } from './postgres-stores.ts';

const OK = { code: 0, signal: null };

async function settingOnPostgres() {
  const setting = await openSetting();
  const sqlite = setting.env.DATABASE_URL ?? '';
  const url = await databaseForTest();
  return { ...setting, sqlite, url, env: { ...setting.env, DATABASE_URL: url } };
}

describe('the app as a process on Postgres', { timeout: 60_000 }, () => {
  it('does the main job after the release step, and reports its outcome after a kill', async () => {
    const setting = await settingOnPostgres();
    const { stage, env } = setting;
    const release = runCommand('migrate', { env });
    expect(await release.ended).toEqual(OK);
    expect(release.stdout()).toMatch(/^Migrated: 0001-/);
    const { service, slack, acme, ann, general } = stage;
    service.faults.add({ kind: 'hang', executed: true, operation: 'createCard' });
    const app = await startApp(setting);
    await sendRequest(setting);
    const posts = () => service.calls({ operation: 'createCard' }).length;
    await expect.poll(posts).toBe(1);
    app.kill('SIGKILL');
    await app.ended;
    service.faults.clear();
    await startApp(setting);
    await slack.until(() => acme.directMessages(ann)[0], 'the question to its author');
    expect(posts()).toBe(1);
    expect(acme.messages(general).filter(({ botId }) => botId)).toEqual([]);
  });

  it('says that Postgres can’t be reached, and never shows its password', async () => {
    const { env, url } = await settingOnPostgres();
    const elsewhere = new URL(url);
    elsewhere.port = '1';
    const options = { env: { ...env, DATABASE_URL: elsewhere.href } };
    const commands = ['migrate', 'rotate-keys'].map((name) => runCommand(name, options));
    for (const entry of [runEntry('dist/main.js', options), ...commands]) {
      expect(await entry.ended).toEqual({ code: 1, signal: null });
      expect(entry.stderr()).toMatch(
        /^The database 127\.0\.0\.1:1\/\w+ can't be used: the connection was refused/,
      );
      expect(entry.stderr() + entry.stdout()).not.toContain(elsewhere.password);
      expect(entry.stderr()).not.toMatch(/\n\s+at /);
    }
  });
});

describe('npm run app -- move', { timeout: 60_000 }, () => {
  it('moves a used database: the app continues on Postgres', async () => {
    const setting = await settingOnPostgres();
    const { stage, sqlite, url } = setting;
    const env = { ...setting.env, DATABASE_URL: sqlite };
    const app = await startApp({ stage, env });
    await sendRequest(setting);
    await stage.slack.until(() => stage.acme.messages(stage.general)[0], 'the confirmation');
    app.kill('SIGTERM');
    await app.ended;
    const move = runCommand('move', { env, args: ['--to', url] });
    expect(await move.ended).toEqual(OK);
    expect(move.stdout()).toMatch(/requests: 1\n[\s\S]*kept as .*\.moved-/);
    const path = sqlite.slice('sqlite:'.length);
    expect(existsSync(path)).toBe(false);
    // With the old address, requests would go into an empty database.
    for (const old of [runEntry('dist/main.js', { env }), runCommand('migrate', { env })]) {
      expect(await old.ended).toEqual({ code: 1, signal: null });
      expect(old.stderr()).toMatch(
        /^The database .* was moved to Postgres, and is kept as .*\.moved-/,
      );
      expect(existsSync(path)).toBe(false);
    }
    await startApp(setting);
    const { acme, ann, general, slack } = stage;
    await acme.as(ann).close({ all: true });
    await acme.as(ann).command(general, 'list');
    const list = await slack.until(() => acme.ephemerals(ann).at(-1), 'the list');
    expect(textOfMessage(list)).toContain('Spring banner');
  });
});

describe('npm run app -- rotate-keys', { timeout: 60_000 }, () => {
  it('names a key that the keyring lacks, as a start does, and says when the others can go', async () => {
    const { env, url } = await settingOnPostgres();
    await migrateDatabase({ url });
    const [gone, fresh] = [encryptionKey('gone'), encryptionKey('fresh')];
    await createStores(openForTest(url), [gone]).keys.save(T1, 'dsk_0123456789', 'U1', at(0));
    for (const entry of [runCommand('rotate-keys', { env }), runEntry('dist/main.js', { env })]) {
      expect(await entry.ended).toEqual({ code: 1, signal: null });
      expect(entry.stderr()).toMatch(
        /missing from ENCRYPTION_KEYS, or another key has their ID:\n\n {2}"gone", which encrypted 1 /,
      );
    }
    const both = { ...env, ENCRYPTION_KEYS: keyringSetting([fresh, gone]) };
    const rotation = runCommand('rotate-keys', { env: both });
    expect(await rotation.ended).toEqual(OK);
    expect(rotation.stdout()).toMatch(/^Encrypted 1 API keys or tokens again with "fresh"\./);
    // Addresses of files that were signed with the old key still have to work.
    expect(rotation.stdout()).toContain('for 7 days, you can remove the others');
  });
});
