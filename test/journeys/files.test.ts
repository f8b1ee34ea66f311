import { describe, expect } from 'vitest';
import { digestOf } from '../files/files-under-test.ts';
import { hasField } from '../sandbox/complete-form.ts';
import { bytesOf, type StoredFile } from '../stand-ins/slack/state/files.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { databaseOf } from './database-rows.ts';
import {
  chooseType,
  created,
  fillForm,
  openFilledForm,
  openForm,
  sendRequest,
  showAllFields,
  submitUntil,
} from './form.ts';
import { jobsHandled } from './links.ts';
import { it, startWorld, type World } from './world.ts';

const PICTURE = { name: 'Moodboard.png', mimetype: 'image/png', size: 300_000 };
const LOGO = { name: 'Logo.svg', mimetype: 'image/svg+xml', size: 2_000 };
const BRIEF = { name: 'Wörding.docx', size: 50_000 };

const fileNamed = ({ slack }: World, name: string): StoredFile => {
  const file = [...slack.state.files.values()].findLast((one) => one.name === name);
  if (!file) throw new Error(`There is no file ${name}`);
  return file;
};

const digest = (file: StoredFile) => digestOf(bytesOf(file));

/** What the service was sent, once it has created the card. */
async function sentData(world: World) {
  const { requestBody } = await created(world);
  return (requestBody as { data: Record<string, string[]> }).data;
}

const ATTACHED = 'Reference files: already attached';

it('files reach the design service, each in its role, with their notes', async () => {
  const { world, acme, general, service, slack, me } = await startWorld();
  await openFilledForm(world, me);
  await showAllFields(world, me);
  await me.fill({
    'Reference files': [PICTURE],
    'What you like about them': 'The mood, not the colors',
    'Files to use': [LOGO, PICTURE],
    'What to do with them': 'The logo goes in a corner',
    'Files with wording': [BRIEF],
  });
  expect(await me.submit()).toMatchObject({ outcome: 'updated', errors: {} });
  const data = await sentData(world);
  expect(data).toMatchObject({
    referenceFilesNote: 'The mood, not the colors',
    additionalFilesNote: 'The logo goes in a corner',
  });
  expect([data.referenceFiles, data.additionalFiles, data.textCopyFiles]).toEqual([
    [expect.stringMatching(/^https:\/\/example\.com\/files\/.+\/Moodboard\.png$/)],
    [expect.stringMatching(/\/Logo\.svg$/), expect.stringMatching(/\/Moodboard\.png$/)],
    [expect.stringMatching(/\/Wording\.docx$/)],
  ]);
  await slack.until(() => acme.messages(general)[0], 'the confirmation');
  await service.downloads.idle();
  const [wording] = service.downloads.all;
  expect(service.downloads.all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(wording?.sha256).toBe(digest(fileNamed(world, BRIEF.name)));
  expect(wording?.headers['content-disposition']).toContain("UTF-8''W%C3%B6rding.docx");
});

describe('a file of a request', () => {
  it('is missed once by its author if it is deleted before the service downloads it', async () => {
    const { world, acme, ann, service, slack, me } = await startWorld();
    service.downloads.atOnce = false;
    await sendRequest(world, me, { 'Reference files': [PICTURE], 'Files to use': [LOGO] });
    const { createdCardId = '' } = await created(world);
    fileNamed(world, LOGO.name).status = 'deleted';
    const notes = () => acme.directMessages(ann).map(textOfMessage);
    const statuses = async () =>
      (await service.downloads.card(createdCardId)).map(({ status }) => status).toSorted();
    expect(await statuses()).toEqual([200, 404]);
    const [note] = await slack.until(() => notes().length > 0 && notes(), 'the message');
    expect(note).toMatch(
      /^Your design service couldn’t get the file “Logo\.svg” of .*Spring banner.* \(DR-\w+\): it was deleted in Slack\. Add it to the card in your dashboard\.$/s,
    );
    // Also after the job that told them was deleted.
    await jobsHandled(world, 'file-lost');
    await databaseOf(world).deleteFrom('jobs').where('kind', '=', 'file-lost').execute();
    await world.restart();
    fileNamed(world, PICTURE.name).status = 'deleted';
    expect(await statuses()).toEqual([404, 404]);
    await slack.until(() => notes().some((one) => one.includes(PICTURE.name)), 'the next message');
    expect(notes()).toHaveLength(2);
  });

  it('is sent as an object with name and URL if the service wants that', async () => {
    const { world, service, me } = await startWorld({ env: { DESIGN_FILE_FORMAT: 'object' } });
    service.answers.fileElement = 'object';
    await sendRequest(world, me, { 'Reference files': [PICTURE] });
    const { referenceFiles } = await sentData(world);
    expect(referenceFiles).toMatchObject([
      { name: PICTURE.name, url: expect.stringMatching(/^https:/) },
    ]);
  });

  it('is refused in the form if it is too large or only a link', async () => {
    const { world, acme, ann, service, me } = await startWorld({ env: { FILE_MAX_MB: '1' } });
    await openForm(world, me);
    const doc = acme.addFile(ann, { name: 'Plan', external: 'https://docs.example.com/1' });
    const canvas = acme.addFile(ann, { name: 'Ideas', mode: 'canvas', size: 0 });
    await fillForm(world, me, {
      'Reference files': [{ name: 'Film.mov', size: 1_000_001 }, { id: doc.id }, { id: canvas.id }],
    });
    const { outcome, errors } = await me.submit();
    expect(outcome).toBe('errors');
    expect(errors['Reference files']).toBe(
      '“Film.mov” is larger than 1 MB. Remove it, and add a link to it instead. “Plan” isn’t stored in Slack. Remove it, and add a link to it instead. “Ideas” is a page in Slack, not a file. Remove it, and add a link to it instead.',
    );
    expect(service.calls({ operation: 'createCard' })).toEqual([]);
    await me.fill({ 'Reference files': [PICTURE] });
    expect(await me.submit()).toMatchObject({ outcome: 'updated' });
    await created(world);
  });

  it.each([
    ['deleted', { status: 'deleted' }, '“Moodboard.png” was deleted in Slack.'],
    ['hidden from the app', { sharedWithApp: false }, 'This app can’t open “Moodboard.png”.'],
    ['a canvas', { mode: 'canvas', size: 0 }, '“Moodboard.png” is a page in Slack, not a file.'],
  ] as const)(
    'is reported at its field if it was %s before the request is sent',
    async (_why, change, words) => {
      const { world, acme, ann, service, slack, me } = await startWorld();
      await openForm(world, me, 'Spring');
      await fillForm(world, me, { Title: 'Spring', 'Reference files': [PICTURE, LOGO] });
      Object.assign(fileNamed(world, PICTURE.name), change);
      await submitUntil(world, me, words);
      expect(service.calls({ operation: 'createCard' })).toEqual([]);
      const note = await slack.until(() => acme.directMessages(ann)[0], 'the message');
      expect(textOfMessage(note)).toContain(words);
      // Everything is still there, and the file can be removed.
      expect(me.field('Title').value).toMatchObject({ value: 'Spring' });
      expect(me.field(ATTACHED).options).toEqual([PICTURE.name, LOGO.name]);
      await me.fill({ [ATTACHED]: [LOGO.name] });
      await me.submit();
      const { referenceFiles } = await sentData(world);
      expect(referenceFiles).toEqual([expect.stringMatching(/Logo\.svg$/)]);
    },
  );

  it('is waited for while Slack still processes it', async ({ world, service, slack, me }) => {
    await openFilledForm(world, me, { 'Reference files': [PICTURE] });
    const file = fileNamed(world, PICTURE.name);
    file.status = 'uploading';
    await me.submit();
    await slack.until(
      () => slack.apiCalls.some(({ method, response }) => method === 'files.info' && response),
      'the question',
    );
    expect(service.calls({ operation: 'createCard' })).toEqual([]);
    file.status = 'ready';
    await created(world);
    await service.downloads.idle();
    expect(service.downloads.all.map(({ sha256 }) => sha256)).toEqual([digest(file)]);
  });
});

describe('files in a form', () => {
  it('survive a change of the request type, and can be removed', async ({ world, me }) => {
    await openForm(world, me);
    await me.fill({ 'Reference files': [PICTURE, LOGO] });
    await fillForm(world, me);
    expect(me.field(ATTACHED).options).toEqual([PICTURE.name, LOGO.name]);
    await me.fill({ [ATTACHED]: [LOGO.name], 'Reference files': [BRIEF] });
    await chooseType(world, me, 'Presentation');
    await chooseType(world, me, 'Social media');
    expect(me.field(ATTACHED).options).toEqual([LOGO.name, BRIEF.name]);
    await fillForm(world, me);
    await me.submit();
    expect((await sentData(world)).referenceFiles).toHaveLength(2);
  });

  it('are limited to ten', async ({ world, me }) => {
    await openForm(world, me);
    const ten = Array.from({ length: 10 }, (_, index) => ({ name: `${index}.png` }));
    await me.fill({ 'Reference files': ten });
    await fillForm(world, me);
    expect(hasField(me, 'Reference files')).toBe(false);
    await me.submit();
    expect((await sentData(world)).referenceFiles).toHaveLength(10);
  });

  it.each([
    ['the app has no public address', { env: { PUBLIC_URL: '' } }, []],
    ['the scope was left out', {}, ['files:read']],
  ] as const)('can’t be attached if %s, and the form says so', async (_why, options, without) => {
    const { world, acme, slack, me } = await startWorld(options);
    const token = slack.state.tokens.get(acme.botToken);
    if (token) token.scopes = token.scopes.filter((scope) => !without.some((one) => one === scope));
    await openForm(world, me);
    expect(me.sees()).toContain('Files can’t be attached here. Add links instead.');
    expect(hasField(me, 'Reference files')).toBe(false);
    await fillForm(world, me, { References: 'https://example.com/mood' });
    await showAllFields(world, me);
    expect(hasField(me, 'Files to use')).toBe(false);
    await me.submit();
    await created(world);
  });
});
