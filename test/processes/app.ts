import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { prepareForm, submit } from '../faults/forms.ts';
import { openStage, type Stage } from '../sandbox/stage.ts';
import { isObject, parseJson } from '../stand-ins/slack/json.ts';
import { type Entry, runEntry } from './entry.ts';

/** The stand-ins, and the settings with which the app runs on them: connected, on one database. */
export type Setting = { stage: Stage; env: Record<string, string> };

/** @param options.many workspaces that install the app through OAuth, none of which has a key */
export async function openSetting({ many = false } = {}): Promise<Setting> {
  const folder = await mkdtemp(join(tmpdir(), 'design-request-processes-'));
  const stage = await openStage({ many });
  // Registered last, so that processes left by a test end before the rest.
  onTestFinished(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });
  const env = stage.environment(folder);
  if (!many) env.DESIGN_API_KEY = stage.service.apiKey;
  return { stage, env };
}

export const logOf = (entry: Entry) =>
  entry
    .stdout()
    .split('\n')
    .map(parseJson)
    .filter((line) => isObject(line));

/** Starts the app as deployed, waits until it is ready, and gives Slack its URL. */
export async function startApp({ stage, env }: Setting, options: { preload?: string } = {}) {
  const entry = runEntry('dist/main.js', { env, ...options });
  const url = await entry.until(
    () => logOf(entry).find(({ msg }) => msg === 'ready')?.url,
    'that it is ready',
  );
  stage.connect(String(url));
  return entry;
}

/** Ann sends a request; resolves when her form is acknowledged. */
export async function sendRequest({ stage }: Setting): Promise<void> {
  const form = await prepareForm(stage, stage.acme.as(stage.ann), 'Spring banner');
  const { outcome } = await submit(form);
  if (outcome !== 'updated') throw new Error(`The form was not accepted: ${outcome}`);
}
