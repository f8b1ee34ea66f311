import { expect, test } from 'vitest';
import { input, modal, setUp } from './setting.ts';

const picture = { name: 'Größe 1.png', mimetype: 'image/png', size: 200_000 };

/** A workspace with a file that was shared with the app, and its addresses. */
async function withFile(options: Record<string, unknown> = {}) {
  const setting = await setUp();
  const file = setting.workspace.addFile(setting.ann, { ...picture, ...options });
  const info = await setting.call('files.info', { file: file.id });
  const url = String(Object(info.file).url_private_download);
  const get = (headers: Record<string, string> = {}, token = setting.workspace.botToken) =>
    fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers }, redirect: 'manual' });
  return { ...setting, file, info, url, get };
}

test('without a token that may read it, people are sent to a page to sign in', async () => {
  const { slack, get, url, file } = await withFile();
  const other = slack.addWorkspace({ name: 'Globex' });
  for (const token of ['', 'xoxb-wrong', other.botToken]) {
    const answer = await get({}, token);
    expect(answer.status).toBe(302);
    const page = await fetch(new URL(answer.headers.get('location') ?? '', url));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Sign in');
  }
  file.sharedWithApp = false;
  expect((await get()).status).toBe(302);
});

test('files that were deleted, or not shared with the app, don’t exist for it', async () => {
  const { call, file, get, slack } = await withFile();
  const other = slack.addWorkspace({ name: 'Globex' });
  const read = (token?: string) => call('files.info', { file: file.id }, token);
  expect(await read(other.botToken)).toMatchObject({ error: 'file_not_found' });
  file.status = 'deleted';
  expect(await read()).toMatchObject({ error: 'file_deleted' });
  expect((await get()).status).toBe(404);
  file.sharedWithApp = false;
  expect(await read()).toMatchObject({ error: 'file_not_found' });
});

test('a file that is uploading or elsewhere has no address to download it from', async () => {
  const { info } = await withFile({ status: 'uploading' });
  expect(info.file).not.toHaveProperty('url_private_download');
  const external = await withFile({ external: 'https://docs.example.com/1' });
  expect(external.info.file).toMatchObject({ mode: 'external', is_external: true, size: 0 });
  expect(external.info.file).not.toHaveProperty('url_private_download');
});

test('reading files needs the scope, which an installation may leave out', async () => {
  const { workspace, ann, call, trigger } = await setUp();
  workspace.install({ without: ['files:read'] });
  const file = workspace.addFile(ann, picture);
  expect(await call('files.info', { file: file.id })).toMatchObject({ error: 'missing_scope' });
  const view = modal({ blocks: [input('files', 'Files', { type: 'file_input' })] });
  const opened = await call('views.open', { trigger_id: await trigger(), view });
  expect(opened).toMatchObject({ ok: false, error: 'missing_scope', needed: 'files:read' });
  expect(() => workspace.install({ without: ['commands'] })).toThrow('not an optional scope');
});

test('a field takes only as many files as it says', async () => {
  const { call, trigger, person } = await setUp();
  const element = { type: 'file_input', max_files: 1 };
  const view = modal({ blocks: [input('files', 'Files', element)] });
  await call('views.open', { trigger_id: await trigger(), view });
  await person.fill({ Files: [picture] });
  await expect(person.fill({ Files: [picture, picture] })).rejects.toThrow('takes 1 files');
});
