import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { asObject } from '../json.ts';
import { textOfPane } from '../views/shown-text.ts';
import { setUp } from './setting.ts';

const CARD = 'https://app.example.com/card/7';
const EVENTS = ['link_shared', 'entity_details_requested'];

type Changes = {
  attributes?: object;
  fields?: object;
  custom_fields?: object[];
  [part: string]: unknown;
};

/** A valid task, with changes. */
function task(changes: Changes = {}, around: object = {}): Record<string, unknown> {
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

async function posted(changes: Parameters<typeof setUp>[0] = {}) {
  const setting = await setUp({ events: EVENTS, ...changes });
  const { person, marketing, slack } = setting;
  const message = await person.post(marketing, CARD);
  await slack.idle();
  const unfurl = (...entities: object[]) =>
    setting.call('chat.unfurl', {
      channel: message.channelId,
      ts: message.ts,
      metadata: { entities },
    });
  return { ...setting, message, unfurl };
}

/** A message with a Work Object whose details a person has opened. */
async function opened() {
  const setting = await posted();
  await setting.unfurl(underLink());
  const pane = setting.person.openDetails({ message: setting.message });
  await setting.slack.idle();
  const event = asObject(setting.app.heard.at(-1)?.payload.event);
  const present = (args: object, trigger = event.trigger_id) =>
    setting.call('entity.presentDetails', { trigger_id: trigger, ...args });
  const refresh = async () => {
    setting.person.refreshDetails(pane);
    await setting.slack.idle();
    return asObject(setting.app.heard.at(-1)?.payload.event).trigger_id;
  };
  return { ...setting, pane, event, present, refresh };
}

describe('a Work Object under a link', () => {
  test('is drawn again only if it says that it is newer', async () => {
    const { unfurl, message } = await posted();
    const titled = (text: string, at: number) =>
      underLink({ attributes: { title: { text }, metadata_last_modified: at } });
    await unfurl(titled('One', 5));
    await unfurl(titled('Two', 5));
    expect(JSON.stringify(message.entities)).toContain('One');
    await unfurl(titled('Three', 6));
    expect(JSON.stringify(message.entities)).toContain('Three');
  });

  test('is refused for another link, and if Work Object Previews are off', async () => {
    const { unfurl } = await posted();
    const other = { ...underLink(), app_unfurl_url: `${CARD}?x` };
    expect(await unfurl(other)).toMatchObject({ error: 'cannot_unfurl_url' });
    const off = await posted({ workObjects: false });
    expect(await off.unfurl(underLink())).toMatchObject({ error: 'error_processing_metadata' });
  });

  test.each<[string, object]>([
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
    ['a field without a key', underLink({ custom_fields: [{ label: 'x', type: 'string' }] })],
    [
      'two fields with one key',
      underLink({
        custom_fields: [1, 2].map(() => ({ key: 'a', label: 'A', type: 'string', value: 'x' })),
      }),
    ],
    [
      'an image without a description',
      underLink({
        custom_fields: [
          { key: 'a', label: 'A', type: 'slack#/types/image', image_url: 'https://x.example.com' },
        ],
      }),
    ],
    ['an order of fields that don’t exist', underLink({ display_order: ['status', 'brand'] })],
    [
      'three primary actions',
      underLink({
        actions: {
          primary_actions: ['a', 'b', 'c'].map((id) => ({ text: id, action_id: id })),
        },
      }),
    ],
    [
      'an embed with its address',
      underLink({
        attributes: {
          full_size_preview: {
            is_supported: true,
            mime_type: 'application/vnd.slack-embed',
            preview_url: 'https://x.example.com/embed',
          },
        },
      }),
    ],
    ['more than fits', underLink({ custom_fields: many(20) })],
  ])('is refused with %s', async (_what, entity) => {
    const { unfurl, message } = await posted();
    expect(await unfurl(entity)).toMatchObject({ ok: false, error: 'error_processing_metadata' });
    expect(message.entities).toEqual([]);
  });

  test('is refused if Slack can’t fetch a picture', async () => {
    const { unfurl, slack } = await posted();
    const image = { key: 'a', label: 'A', type: 'slack#/types/image', alt_text: 'x' };
    const entity = underLink({
      custom_fields: [{ ...image, image_url: 'https://x.example.com/a.png' }],
    });
    slack.brokenImages.add('*');
    expect(await unfurl(entity)).toMatchObject({ error: 'error_processing_metadata' });
    slack.brokenImages.clear();
    expect(await unfurl(entity)).toMatchObject({ ok: true });
  });
});

describe('a Work Object in the app’s own message', () => {
  test('is left out with only a warning if it is invalid', async () => {
    const { call, workspace, marketing } = await posted();
    const answer = await call('chat.postMessage', {
      channel: marketing.id,
      text: 'Hi',
      metadata: { entities: [underLink()] },
    });
    expect(answer).toMatchObject({ ok: true, warning: 'invalid_metadata_format' });
    expect(workspace.messages(marketing).at(-1)).toMatchObject({ text: 'Hi', entities: [] });
  });
});

describe('the details', () => {
  test('are drawn again only if they say that they are newer', async () => {
    const { present, pane, refresh } = await opened();
    const titled = (text: string, at: number) => ({
      metadata: task({ attributes: { title: { text }, metadata_last_modified: at } }),
    });
    await present(titled('One', 5));
    await present(titled('Two', 5), await refresh());
    expect([pane.drawn, textOfPane(pane)]).toEqual([1, expect.stringContaining('One')]);
    await present(titled('Three', 6), await refresh());
    expect([pane.drawn, textOfPane(pane)]).toEqual([2, expect.stringContaining('Three')]);
  });

  test('need an unused trigger of their own', async () => {
    const { present, trigger } = await opened();
    expect(await present({ metadata: task() })).toMatchObject({ ok: true });
    expect(await present({ metadata: task() })).toMatchObject({ error: 'exchanged_trigger_id' });
    expect(await present({ metadata: task() }, await trigger())).toMatchObject({
      error: 'invalid_trigger_id',
    });
  });

  test.each<[string, object, string]>([
    [
      'of another Work Object',
      { metadata: task({}, { external_ref: { id: '8' } }) },
      'entity_metadata_does_not_match_trigger',
    ],
    [
      'that don’t say which Work Object they are',
      { metadata: task({}, { external_ref: undefined }) },
      'invalid_arguments',
    ],
    ['with a link’s URL', { metadata: underLink() }, 'invalid_metadata'],
    ['of nothing', {}, 'invalid_arguments'],
    ['and an error', { metadata: task(), error: { status: 'not_found' } }, 'invalid_arguments'],
    ['with an unknown error', { error: { status: 'gone' } }, 'invalid_arguments'],
    ['with a custom error without words', { error: { status: 'custom' } }, 'invalid_arguments'],
    [
      'with words that Slack wouldn’t show',
      { error: { status: 'not_found', custom_message: 'x' } },
      'invalid_arguments',
    ],
    [
      'with buttons that Slack wouldn’t show',
      {
        error: {
          status: 'custom',
          custom_message: 'x',
          actions: [{ text: 'Retry', action_id: 'retry' }],
        },
      },
      'invalid_arguments',
    ],
  ])('are refused %s', async (_what, args, error) => {
    const { present, pane } = await opened();
    expect(await present(args)).toMatchObject({ ok: false, error });
    expect(pane.drawn).toBe(0);
  });

  test('are refused if Work Object Previews are off', async () => {
    const { present, slack } = await opened();
    slack.state.manifest.entityTypes = [];
    expect(await present({ metadata: task() })).toMatchObject({ error: 'feature_not_enabled' });
  });
});

describe('an embed', () => {
  const ALLOWED = 'https://*.slack.com https://*.slack-gov.com https://*.slack-mcps.com';
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  async function embedded(headers: Record<string, string>) {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', ...headers });
      response.end('<p>Gallery</p>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { present, pane, slack } = await opened();
    slack.reach('https://design.example.com', `http://127.0.0.1:${port}`);
    const preview = {
      is_supported: true,
      mime_type: 'application/vnd.slack-embed',
      preview_url: 'https://design.example.com/embed/1',
    };
    const metadata = task({ attributes: { full_size_preview: preview } });
    expect(await present({ metadata })).toMatchObject({ ok: true });
    await slack.idle();
    return pane.embed;
  }

  test('is shown if its page lets all of Slack frame it', async () => {
    const policy = `default-src 'none'; frame-ancestors ${ALLOWED}`;
    expect(await embedded({ 'content-security-policy': policy })).toEqual({
      page: '<p>Gallery</p>',
    });
  });

  test.each<[string, Record<string, string>]>([
    ['allows nobody', {}],
    [
      'leaves out an origin',
      {
        'content-security-policy': 'frame-ancestors https://*.slack.com https://*.slack-gov.com',
      },
    ],
    [
      'sets a cookie',
      { 'content-security-policy': `frame-ancestors ${ALLOWED}`, 'set-cookie': 'a=b' },
    ],
    [
      'forbids frames',
      { 'content-security-policy': `frame-ancestors ${ALLOWED}`, 'x-frame-options': 'DENY' },
    ],
  ])('is not shown if its page %s', async (_what, headers) => {
    expect(asObject(await embedded(headers)).problem).toMatch(/./);
  });
});

/** Fields that are too large together. */
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: `field_${index}`,
    label: 'Field',
    type: 'string',
    value: 'x'.repeat(1_000),
  }));
