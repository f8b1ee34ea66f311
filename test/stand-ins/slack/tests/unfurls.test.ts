import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { asObject } from '../json.ts';
import { textOfPane } from '../views/shown-text.ts';
import { section, setUp } from './setting.ts';

type Json = Record<string, unknown>;

const CARD = 'https://app.example.com/card/7';
const OK = { ok: true };
const preview = { blocks: [section('x')] };

async function posted(changes: Parameters<typeof setUp>[0] = {}, text = CARD) {
  const events = ['link_shared', 'entity_details_requested'];
  const setting = await setUp({ events, ...changes });
  const message = await setting.person.post(setting.marketing, text);
  await setting.slack.idle();
  const { channelId: channel, ts } = message;
  const unfurl = (args: Json) => setting.call('chat.unfurl', { channel, ts, ...args });
  const show = (entity: object) => unfurl({ metadata: { entities: [entity] } });
  return { ...setting, message, unfurl, show };
}

test('which links can be unfurled, and with what', async () => {
  const { message, slack, person, expectAnswers } = await posted(
    {},
    `${CARD} https://example.com/9`,
  );
  const { channelId: channel, ts } = message;
  const METHOD = 'chat.unfurl';
  const unfurls = { [CARD]: preview };
  const under = (url: string, shown: unknown = preview) => ({
    channel,
    ts,
    unfurls: { [url]: shown },
  });
  const bad = {
    ok: false,
    error: 'invalid_blocks',
    errors: [expect.stringContaining('/blocks/0')],
  };
  const input = { type: 'input', label: { type: 'plain_text', text: 'x' }, element: {} };
  await expectAnswers([
    ...['https://app.example.com/card/8', 'https://example.com/9', `${CARD}/`].map(
      (url): [string, Json, string] => [METHOD, under(url), 'cannot_unfurl_url'],
    ),
    [METHOD, under(CARD, { blocks: [{ type: 'rich_text', elements: [] }] }), bad],
    [METHOD, under(CARD, { blocks: [input] }), bad],
    [METHOD, under(CARD, { blocks: [{ type: 'nonsense' }] }), bad],
    [METHOD, { channel, ts }, 'missing_unfurls'],
    [METHOD, { channel, ts, unfurls: '{' }, 'invalid_unfurls_format'],
    [METHOD, { channel, ts, unfurls: '[]' }, 'invalid_unfurls_format'],
    [METHOD, under(CARD, 'x'), 'cannot_parse_attachment'],
    [METHOD, { unfurls }, 'missing_channel'],
    [METHOD, { channel, unfurls }, 'missing_ts'],
    [METHOD, { source: 'composer', unfurls }, 'missing_unfurl_id'],
    [METHOD, { unfurl_id: 'x', unfurls }, 'missing_source'],
    [METHOD, { unfurl_id: 'x', source: 'composer', unfurls }, 'cannot_unfurl_message'],
    [METHOD, { channel: 'C404', ts, unfurls }, 'cannot_find_channel'],
    [METHOD, { channel, ts: '1.000001', unfurls }, 'cannot_find_message'],
  ]);
  slack.brokenImages.add('*');
  const image = { type: 'image', image_url: 'https://x.example.com/a.png', alt_text: 'x' };
  await expectAnswers([[METHOD, under(CARD, { blocks: [image] }), 'invalid_blocks']]);
  expect(message.attachments).toEqual([]);
  await expectAnswers([[METHOD, under(CARD), OK]]);
  person.remove(message);
  await expectAnswers([[METHOD, under(CARD), 'cannot_find_message']]);
});

type Changes = {
  attributes?: object;
  fields?: object;
  custom_fields?: object[];
  [part: string]: unknown;
};

/** A valid task, with changes. */
function task(changes: Changes = {}, around: object = {}): Json {
  const { attributes, fields, ...payload } = changes;
  return {
    entity_type: 'slack#/entities/task',
    url: CARD,
    external_ref: { id: '7', type: 'card' },
    entity_payload: {
      attributes: { title: { text: 'Banner' }, metadata_last_modified: 1, ...attributes },
      fields: { status: { value: 'To do', tag_color: 'blue' }, ...fields },
      actions: { primary_actions: [{ text: 'Refresh', action_id: 'refresh', value: '7' }] },
      ...payload,
    },
    ...around,
  };
}

const underLink = (changes: Changes = {}) => task(changes, { app_unfurl_url: CARD });
const titled = (text: string, at: number) => ({
  attributes: { title: { text }, metadata_last_modified: at },
});
const field = (more: object) => ({ key: 'a', label: 'A', type: 'string', value: 'x', ...more });
const image = {
  type: 'slack#/types/image',
  value: undefined,
  image_url: 'https://x.example.com/a',
};
const EMBED = { is_supported: true, mime_type: 'application/vnd.slack-embed' };

test.for<[what: string, entity: object]>([
  ['no app_unfurl_url', task()],
  ['an ID with other characters', { ...underLink(), external_ref: { id: 'a b' } }],
  ['no ID', { ...underLink(), external_ref: { type: 'card' } }],
  ['an unknown type', { ...underLink(), entity_type: 'slack#/entities/order' }],
  ['a bare title', underLink({ attributes: { title: 'Banner' } })],
  ['an unknown attribute', underLink({ attributes: { colour: 'red' } })],
  ['milliseconds', underLink({ attributes: { metadata_last_modified: 1_790_000_000_000 } })],
  ['another color', underLink({ fields: { status: { value: 'x', tag_color: 'purple' } } })],
  ['an empty text', underLink({ fields: { status: { value: '' } } })],
  ['a preview, which a task has not', underLink({ fields: { preview: { value: 'x' } } })],
  [
    'an impossible date',
    underLink({ fields: { due_date: { type: 'slack#/types/date', value: '2026-02-30' } } }),
  ],
  [
    'a user with an ID and a name',
    underLink({
      fields: { created_by: { type: 'slack#/types/user', user: { user_id: 'U1', text: 'Ann' } } },
    }),
  ],
  ['a field without a key', underLink({ custom_fields: [field({ key: undefined })] })],
  ['two fields with one key', underLink({ custom_fields: [field({}), field({})] })],
  ['an image without a description', underLink({ custom_fields: [field(image)] })],
  ['an order of fields that don’t exist', underLink({ display_order: ['status', 'brand'] })],
  [
    'three primary actions',
    underLink({
      actions: { primary_actions: ['a', 'b', 'c'].map((id) => ({ text: id, action_id: id })) },
    }),
  ],
  [
    'an embed with its address',
    underLink({
      attributes: { full_size_preview: { ...EMBED, preview_url: 'https://x.example.com/embed' } },
    }),
  ],
  [
    'more than fits',
    underLink({
      custom_fields: Array.from({ length: 20 }, (_, index) =>
        field({ key: `field_${index}`, value: 'x'.repeat(1_000) }),
      ),
    }),
  ],
])('a Work Object under a link is refused with %s', async ([, entity]) => {
  const { show, message } = await posted();
  expect(await show(entity)).toMatchObject({ ok: false, error: 'error_processing_metadata' });
  expect(message.entities).toEqual([]);
});

test('a Work Object is refused for another link, a broken picture, or while it is off', async () => {
  const { show, slack, message } = await posted();
  const other = { ...underLink(), app_unfurl_url: `${CARD}?x` };
  expect(await show(other)).toMatchObject({ error: 'cannot_unfurl_url' });
  const pictured = underLink({ custom_fields: [field({ ...image, alt_text: 'x' })] });
  slack.brokenImages.add('*');
  expect(await show(pictured)).toMatchObject({ error: 'error_processing_metadata' });
  slack.brokenImages.clear();
  expect(await show(pictured)).toMatchObject(OK);
  const off = await posted({ workObjects: false });
  expect(await off.show(underLink())).toMatchObject({ error: 'error_processing_metadata' });
  // It is drawn again only if it says that it is newer.
  await show(underLink(titled('One', 5)));
  await show(underLink(titled('Two', 5)));
  expect(JSON.stringify(message.entities)).toContain('One');
});

test('an invalid Work Object in the app’s own message is left out with only a warning', async () => {
  const { workspace, marketing, expectAnswers } = await posted();
  const args = { channel: marketing.id, text: 'Hi', metadata: { entities: [underLink()] } };
  await expectAnswers([
    ['chat.postMessage', args, { ok: true, warning: 'invalid_metadata_format' }],
  ]);
  expect(workspace.messages(marketing).at(-1)).toMatchObject({ text: 'Hi', entities: [] });
});

/** A message with a Work Object whose details a person has opened. */
async function opened() {
  const setting = await posted();
  const { slack, app, person, message, call } = setting;
  await setting.show(underLink());
  const pane = person.openDetails({ message });
  const asked = async () => {
    await slack.idle();
    return asObject(app.heard.at(-1)?.payload.event).trigger_id;
  };
  const first = await asked();
  const refresh = () => {
    person.refreshDetails(pane);
    return asked();
  };
  const present = (args: object, trigger_id: unknown = first) =>
    call('entity.presentDetails', { trigger_id, ...args });
  return { ...setting, pane, present, refresh };
}

const button = { text: 'Retry', action_id: 'retry' };
const error = { status: 'custom', custom_message: 'x' };

test.for<[what: string, args: object, error: string]>([
  [
    'of another Work Object',
    { metadata: task({}, { external_ref: { id: '8' } }) },
    'entity_metadata_does_not_match_trigger',
  ],
  [
    'that don’t say which one they are',
    { metadata: task({}, { external_ref: undefined }) },
    'invalid_arguments',
  ],
  ['with a link’s URL', { metadata: underLink() }, 'invalid_metadata'],
  ['of nothing', {}, 'invalid_arguments'],
  ['and an error', { metadata: task(), error }, 'invalid_arguments'],
  ['with an unknown error', { error: { status: 'gone' } }, 'invalid_arguments'],
  ['with a custom error without words', { error: { status: 'custom' } }, 'invalid_arguments'],
  [
    'with words that Slack wouldn’t show',
    { error: { status: 'not_found', custom_message: 'x' } },
    'invalid_arguments',
  ],
  [
    'with buttons that Slack wouldn’t show',
    { error: { ...error, actions: [button] } },
    'invalid_arguments',
  ],
])('details are refused %s', async ([, args, error]) => {
  const { present, pane } = await opened();
  expect(await present(args)).toMatchObject({ ok: false, error });
  expect(pane.drawn).toBe(0);
});

test('details need an unused trigger of their own, and to be newer', async () => {
  const { present, trigger, pane, refresh, slack } = await opened();
  const one = { metadata: task(titled('One', 5)) };
  expect(await present(one)).toMatchObject(OK);
  expect(await present(one)).toMatchObject({ error: 'exchanged_trigger_id' });
  expect(await present(one, await trigger())).toMatchObject({ error: 'invalid_trigger_id' });
  await present({ metadata: task(titled('Two', 5)) }, await refresh());
  expect([pane.drawn, textOfPane(pane)]).toEqual([1, expect.stringContaining('One')]);
  slack.state.manifest.entityTypes = [];
  expect(await present(one, await refresh())).toMatchObject({ error: 'feature_not_enabled' });
});

const ANCESTORS = 'frame-ancestors https://*.slack.com https://*.slack-gov.com';
const ALLOWED = `default-src 'none'; ${ANCESTORS} https://*.slack-mcps.com`;

test.for<[what: string, headers: Record<string, string>, isShown: boolean]>([
  ['lets all of Slack frame it', { 'content-security-policy': ALLOWED }, true],
  ['allows nobody', {}, false],
  ['leaves out an origin', { 'content-security-policy': ANCESTORS }, false],
  ['sets a cookie', { 'content-security-policy': ALLOWED, 'set-cookie': 'a=b' }, false],
  ['forbids frames', { 'content-security-policy': ALLOWED, 'x-frame-options': 'DENY' }, false],
])('an embed whose page %s is shown only if Slack could', async ([, headers, isShown]) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end('<p>Gallery</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { present, pane, slack } = await opened();
  const { port } = server.address() as AddressInfo;
  slack.reach('https://design.example.com', `http://127.0.0.1:${port}`);
  const full_size_preview = { ...EMBED, preview_url: 'https://design.example.com/embed/1' };
  const metadata = task({ attributes: { full_size_preview } });
  expect(await present({ metadata })).toMatchObject(OK);
  await slack.idle();
  const problem = expect.stringMatching(/./);
  expect(pane.embed).toEqual(isShown ? { page: '<p>Gallery</p>' } : { problem });
});
