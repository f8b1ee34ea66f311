import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import { migrateDatabase } from '../../src/store/database.ts';
import { createStores } from '../../src/store/stores.ts';
import { T1, workspaceNamed } from '../installations/ids.ts';
import { openSetting, sendRequest, startApp } from '../processes/app.ts';
import { runCommand, runEntry } from '../processes/entry.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { newInstall } from '../store/installation-suite.ts';
import { at, encryptionKey, keyringSetting } from '../store/stores-under-test.ts';
import { databaseForTest } from './database-for-test.ts';
import { openForTest } from './postgres-stores.ts';

const OK = { code: 0, signal: null };
/** So many that encrypting them again takes far longer than a kill. */
const RECORDS = 600;

/** A sealed value is a JWE, which names its key in the protected header. */
function keyIdOf(sealed: unknown): unknown {
  const header = String(JSON.parse(String(sealed)).protected);
  return JSON.parse(Buffer.from(header, 'base64url').toString()).kid;
}

async function settingOnPostgres() {
  const setting = await openSetting();
  const sqlite = setting.env.DATABASE_URL ?? '';
  const url = await databaseForTest();
  return { ...setting, sqlite, url, env: { ...setting.env, DATABASE_URL: url } };
}

describe('the app as a process on Postgres', { timeout: 60_000 }, () => {
  it('says that Postgres can’t be reached, and never shows its password', async () => {
    const { env, url } = await settingOnPostgres();
    const elsewhere = new URL(url);
    elsewhere.port = '1';
    const options = { env: { ...env, DATABASE_URL: elsewhere.href } };
    const commands = ['migrate', 'rotate-keys', 'jobs'].map((name) => runCommand(name, options));
    for (const entry of [runEntry('dist/main.js', options), ...commands]) {
      expect(await entry.ended).toEqual({ code: 1, signal: null });
      expect(entry.stderr()).toMatch(
        /^The database 127\.0\.0\.1:1\/\w+ can't be used: the connection was refused/,
      );
      expect(entry.stderr() + entry.stdout()).not.toContain(elsewhere.password);
      expect(entry.stderr()).not.toMatch(/\n\s+at /);
    }
    expect(commands.map(({ stdout }) => stdout()).join('')).toBe('');
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
        /^The database .* was moved to Postgres\. .* to another folder: .*\.moved-/,
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
  it('names a key that the keyring lacks, and says when the others can go', async () => {
    const { env, url } = await settingOnPostgres();
    await migrateDatabase({ url });
    const [gone, fresh] = [encryptionKey('gone'), encryptionKey('fresh')];
    await createStores(openForTest(url), [gone]).keys.save(T1, 'dsk_0123456789', 'U1', at(0));
    const refused = runCommand('rotate-keys', { env });
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(refused.stderr()).toMatch(
      /missing from ENCRYPTION_KEYS, or another key has their ID:\n\n {2}"gone", which encrypted 1 /,
    );
    const both = { ...env, ENCRYPTION_KEYS: keyringSetting([fresh, gone]) };
    const rotation = runCommand('rotate-keys', { env: both });
    expect(await rotation.ended).toEqual(OK);
    expect(rotation.stdout()).toMatch(/^Encrypted 1 API keys or tokens again with "fresh"\./);
    // Addresses of files that were signed with the old key still have to work.
    expect(rotation.stdout()).toContain('for 7 days, you can remove the others');
  });

  it('can be killed midway, and be run again: every key stays readable', async () => {
    const setting = await settingOnPostgres();
    const { env, url, stage } = setting;
    const release = runCommand('migrate', { env });
    expect(await release.ended).toEqual(OK);
    expect(release.stdout()).toMatch(/^Migrated: 0001-/);
    const db = openForTest(url);
    const ring = [encryptionKey('new'), encryptionKey('old')] as const;
    const options = { env: { ...env, ENCRYPTION_KEYS: keyringSetting(ring) } };
    const { keys, installations } = createStores(db, [ring[1]]);
    const ids = Array.from({ length: RECORDS }, (_, index) => workspaceNamed(`T${index}`));
    for (const id of ids) {
      // The app deletes the data of workspaces without an installation.
      await installations.save(newInstall(id), at(0));
      await keys.save(id, `dsk_${id}`, 'U1', at(0));
    }
    const stillOld = async () => {
      const rows = await db.selectFrom('api_keys').select('sealedKey').execute();
      return rows.filter(({ sealedKey }) => keyIdOf(sealedKey) === 'old').length;
    };
    const expectReadable = async (keyring: readonly EncryptionKey[]) => {
      const stores = createStores(db, keyring);
      for (const id of ids) expect(await stores.keys.open(id)).toMatchObject({ key: `dsk_${id}` });
    };

    const app = await startApp({ stage, ...options });
    const killed = runCommand('rotate-keys', options);
    let hasEnded = false;
    void killed.ended.then(() => {
      hasEnded = true;
    });
    while (!hasEnded && (await stillOld()) === RECORDS) await sleep(2);
    killed.kill('SIGKILL');
    const { signal } = await killed.ended;
    expect(signal, killed.stderr()).toBe('SIGKILL');
    expect(await stillOld()).toBeGreaterThan(0);
    await expectReadable(ring);
    await sendRequest(setting);
    await stage.slack.until(() => stage.service.cards.all()[0], 'the first card');

    expect(await runCommand('rotate-keys', options).ended).toEqual(OK);
    await expectReadable([ring[0]]);
    app.kill('SIGTERM');
    await app.ended;
    await startApp({ stage, env: { ...env, ENCRYPTION_KEYS: keyringSetting([ring[0]]) } });
    await sendRequest(setting);
    await stage.slack.until(() => stage.service.cards.all()[1], 'the second card');
  });
});
