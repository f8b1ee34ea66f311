import { readFileSync } from 'node:fs';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKS, examine, isTrouble } from '../../../src/commands/doctor/examine.ts';
import { asText, findingsOf } from '../../../src/commands/doctor.ts';
import { encryptionKey } from '../../store/stores-under-test.ts';
import { findingOf, healthyPatient, type Patient, startAppOf } from './examined.ts';
import { FAULTS } from './faults.ts';

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

/** Without what differs from run to run. */
const asExpected = (text: string, { folder }: Patient) =>
  text
    .replaceAll(folder, '/app')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://…')
    .replaceAll(/Port \d+ is in use; `lsof.*?`/g, 'Port 3000 is in use; `lsof …`');

/** What it says about each fault. */
const expected = read('test/commands/doctor/findings.txt').split('\n');

describe('the doctor', () => {
  it('finds nothing where nothing is wrong, and says what it could not check', async () => {
    const patient = await healthyPatient();
    await startAppOf(patient);
    const examined = await examine(CHECKS, patient);
    // Where the tests run decides whether the disk is one that lasts.
    const found = examined.filter(({ check }) => check.name !== 'durable-disk');
    expect(found.filter(({ finding }) => isTrouble(finding))).toEqual([]);
    const skipped = found.flatMap(({ check, finding }) =>
      finding.result === 'skipped' ? [check.name] : [],
    );
    expect(skipped).toEqual(['durable-postgres', 'app-token']);
    expect(asText(examined)).toContain('6 request types, 300 brands, 60 calls per minute');
  });

  it.each(FAULTS)('$check: $what', async ({ check, what, result, cause }) => {
    const patient = await healthyPatient();
    await cause(patient);
    const finding = await findingOf(check, patient);
    expect(finding).toMatchObject({ result });
    if (!isTrouble(finding)) return;
    const { problem, fix } = finding;
    const says = [problem, fix].map((text) => asExpected(text, patient).replaceAll('\n', ' '));
    const row = `| \`${check}\` | ${what} | `;
    expect(expected.find((line) => line.startsWith(row))).toBe(`${row}${says.join(' | ')} |`);
  });

  it('finds a fault with every check', () => {
    const found = new Set(FAULTS.map(({ check }) => check));
    const others = CHECKS.map(({ name }) => name).filter((name) => !found.has(name));
    // test/postgres/doctor.test.ts
    expect(others).toEqual(['durable-postgres']);
  });

  it('checks what needs no settings even if there are none', async () => {
    const { folder, envFile, env } = await healthyPatient();
    await chmod(join(folder, 'design-request.db'), 0o644);
    const { DATABASE_URL } = env;
    const examined = await examine(CHECKS, { env: { DATABASE_URL }, envFile });
    const found = examined.filter(({ finding }) => finding.result !== 'skipped');
    expect(found.map(({ check, finding }) => `${check.name}: ${finding.result}`)).toEqual([
      'settings: failed',
      'proxy: passed',
      'private-files: warning',
      'database-reachable: passed',
      'database-writable: passed',
      'database-migrated: passed',
      expect.stringMatching('durable-disk: '),
    ]);
  });

  it('repairs what needs no other settings while some are wrong', async () => {
    const { folder, envFile, env } = await healthyPatient();
    const path = join(folder, 'design-request.db');
    await writeFile(path, '');
    const { DATABASE_URL } = env;
    const examined = await examine(CHECKS, { env: { DATABASE_URL }, envFile, repairs: true });
    const repaired = examined.find(({ check }) => check.name === 'database-migrated');
    expect(repaired).toMatchObject({
      finding: { result: 'passed' },
      repaired: 'migrated: 0001-baseline',
    });
  });

  it('skips checks of a database whose address can’t be read', async () => {
    const patient = await healthyPatient();
    patient.env.DATABASE_URL = 'mysql://127.0.0.1/requests';
    expect(await findingOf('database-reachable', patient)).toEqual({
      result: 'skipped',
      why: 'correct DATABASE_URL first',
    });
  });

  it('changes nothing unasked, and repairs what it can when it is asked to', async () => {
    const patient = await healthyPatient();
    await chmod(patient.envFile, 0o644);
    const modeOf = async () => (await stat(patient.envFile)).mode & 0o777;
    await examine(CHECKS, patient);
    expect(await modeOf()).toBe(0o644);
    const examined = await examine(CHECKS, { ...patient, repairs: true });
    expect(await modeOf()).toBe(0o600);
    const repaired = examined.find(({ check }) => check.name === 'private-files');
    expect(repaired?.finding).toMatchObject({ result: 'passed' });
    expect(repaired?.repaired).toContain(patient.envFile);
  });

  it('creates no database, and migrates one only when it is asked to', async () => {
    const patient = await healthyPatient();
    const path = join(patient.folder, 'other.db');
    patient.env.DATABASE_URL = `sqlite:${path}`;
    await examine(CHECKS, patient);
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await findingOf('database-reachable', patient)).toMatchObject({ result: 'passed' });
  });

  it('prints no secret, whatever is wrong', async () => {
    const patient = await healthyPatient();
    const { stage, env } = patient;
    stage.service.revokeKey(stage.service.apiKey);
    stage.service.faults.add({ kind: 'echoed-key' });
    env.SLACK_BOT_TOKEN = 'xoxb-secret-of-a-wrong-token';
    env.SLACK_APP_TOKEN = 'xapp-1-secret-of-a-wrong-token';
    env.ENCRYPTION_KEYS = `k9:${Buffer.from(encryptionKey('k9').key).toString('base64')}`;
    const examined = await examine(CHECKS, patient);
    const printed = asText(examined) + JSON.stringify(findingsOf(examined));
    const secrets = [
      ...['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'].map(
        (name) => env[name] ?? name,
      ),
      env.DESIGN_API_KEY ?? '',
      env.ENCRYPTION_KEYS.slice('k9:'.length),
    ];
    expect(secrets.filter((secret) => printed.includes(secret))).toEqual([]);
  });
});
