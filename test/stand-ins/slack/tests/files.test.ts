import { expect, test } from 'vitest';
import { bytesOf } from '../state/files.ts';
import { input, modal, setUp } from './setting.ts';

const FILES = { withOptionalScopes: ['files:read'] };
const picture = { name: 'Größe 1.png', mimetype: 'image/png', size: 200_000 };

/** A workspace with a file that was shared with the app, and its addresses. */
async function withFile(options: Record<string, unknown> = {}) {
  const setting = await setUp(FILES);
  const file = setting.workspace.addFile(setting.ann, { ...picture, ...options });
  const info = await setting.call('files.info', { file: file.id });
  const url = String(Object(info.file).url_private_download);
  const get = (headers: Record<string, string> = {}, token = setting.workspace.botToken) =>
    fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers }, redirect: 'manual' });
  return { ...setting, file, info, url, get };
}

test('a file can be read with the workspace’s token, whole or in part', async () => {
  const { file, info, get } = await withFile();
  expect(info).toMatchObject({
    ok: true,
    file: { id: file.id, name: picture.name, mimetype: 'image/png', size: 200_000, mode: 'hosted' },
  });
  const whole = await get();
  expect(whole.status).toBe(200);
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect(bytes.equals(Buffer.concat([...bytesOf(file)]))).toBe(true);
  const part = await get({ range: 'bytes=65530-65540' });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe('bytes 65530-65540/200000');
  const middle = Buffer.from(await part.arrayBuffer());
  expect(middle.equals(bytes.subarray(65_530, 65_541))).toBe(true);
  const end = await get({ range: 'bytes=-5' });
  expect(Buffer.from(await end.arrayBuffer()).equals(bytes.subarray(-5))).toBe(true);
  expect((await get({ range: 'bytes=200000-' })).status).toBe(416);
});

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
  const { workspace, ann, call, trigger } = await setUp(FILES);
  workspace.install({ without: ['files:read'] });
  const file = workspace.addFile(ann, picture);
  expect(await call('files.info', { file: file.id })).toMatchObject({ error: 'missing_scope' });
  const view = modal({ blocks: [input('files', 'Files', { type: 'file_input' })] });
  const opened = await call('views.open', { trigger_id: await trigger(), view });
  expect(opened).toMatchObject({ ok: false, error: 'missing_scope', needed: 'files:read' });
  expect(() => workspace.install({ without: ['commands'] })).toThrow('not an optional scope');
});

test('a field takes only as many files as it says', async () => {
  const { call, trigger, person } = await setUp(FILES);
  const element = { type: 'file_input', max_files: 1 };
  const view = modal({ blocks: [input('files', 'Files', element)] });
  await call('views.open', { trigger_id: await trigger(), view });
  await person.fill({ Files: [picture] });
  await expect(person.fill({ Files: [picture, picture] })).rejects.toThrow('takes 1 files');
});
