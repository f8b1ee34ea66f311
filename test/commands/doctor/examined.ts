import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startApp } from '../../../src/app.ts';
import type { Finding } from '../../../src/commands/doctor/check.ts';
import { CHECKS, examine } from '../../../src/commands/doctor/examine.ts';
import { parseConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { freePort } from '../../free-port.ts';
import { openStage, type Stage } from '../../sandbox/stage.ts';
import { listen } from '../../service/local-server.ts';
import { makeMigratedFile } from '../../store/migrated-file.ts';
import { temporaryFolder } from '../../store/sqlite-files.ts';

/** What a doctor examines: settings, a settings file, a database, and the stand-ins. */
export type Patient = {
  stage: Stage;
  folder: string;
  env: Record<string, string>;
  envFile: string;
  now: () => Date;
};

/** A setting in which nothing is wrong, on HTTP; the app doesn't run yet. */
export async function healthyPatient({ many = false } = {}): Promise<Patient> {
  const folder = await temporaryFolder();
  const stage = await openStage({ many });
  onTestFinished(() => stage.close());
  await makeMigratedFile(join(folder, 'design-request.db'));
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const env = {
    ...stage.environment(folder),
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    DESIGN_API_KEY: many ? '' : stage.service.apiKey,
  };
  const envFile = join(folder, '.env');
  await writeFile(envFile, '', { mode: 0o600 });
  return { stage, folder, env, envFile, now: () => new Date() };
}

/** Starts the app with the patient's settings, or with some changes that the doctor doesn't know. */
export async function startAppOf({ env }: Patient, changes: Record<string, string> = {}) {
  const app = await startApp(parseConfig({ ...env, ...changes }), {
    log: createLog({ level: 'silent' }),
  });
  onTestFinished(() => app.stop());
}

export async function findingOf(name: string, patient: Patient): Promise<Finding> {
  const check = CHECKS.find((one) => one.name === name);
  if (!check) throw new Error(`There is no check ${name}`);
  const [examined] = await examine([check], patient);
  if (!examined) throw new Error(`${name} did not run`);
  return examined.finding;
}

/** A server on loopback that answers everything in the same way. @returns its port */
export const answering = (
  status: number,
  headers: Record<string, string> = {},
  body = 'hello',
): Promise<number> =>
  listen(createServer((_request, response) => response.writeHead(status, headers).end(body)));
