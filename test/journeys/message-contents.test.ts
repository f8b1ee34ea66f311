import { describe, expect } from 'vitest';
import { hasField, seesCompleteForm } from '../sandbox/complete-form.ts';
import { asObject, type JsonObject } from '../stand-ins/slack/json.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { type FileOptions, fileOutput } from '../stand-ins/slack/state/files.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { it, startWorld, type World } from './world.ts';

const ATTACHED = 'Reference files: already attached';
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const button = (text: string, more: JsonObject = {}) => ({
  type: 'button',
  text: plain(text),
  ...more,
});
const words = (text: string) => ({ type: 'text', text });
const link = (url: string, text: string) => ({ type: 'link', url, text });
const rich = (...elements: JsonObject[]) => ({ type: 'rich_text', elements });
const section = (...elements: JsonObject[]) => ({ type: 'rich_text_section', elements });

/** The form from a message with this content; `description` is its rich text as JSON. */
async function formFrom(world: World, content: Partial<Message>) {
  const { general, slack, me } = world;
  if (me.currentView()) await me.close({ all: true });
  const message = await me.post(general, content.text ?? 'The text');
  await me.messageShortcut({ ...message, ...content }, 'Create design request');
  await slack.until(() => seesCompleteForm(me), 'the form');
  return { me, description: describedIn(me) };
}

const describedIn = (me: Person) =>
  JSON.stringify(asObject(me.field('Description').value).rich_text_value);

const CONTROLS = 'Its buttons and menus aren’t copied.';
const PART_LOST = 'Part of the message couldn’t be copied.';

const block = (type: string, parts: JsonObject = {}) => ({ type, ...parts });
const textBlock = (text: string, parts: JsonObject = {}) =>
  block('section', { text: mrkdwn(text), ...parts });
const actions = (...elements: JsonObject[]) => block('actions', { elements });
const picture = (name: string, parts: JsonObject = {}) =>
  block('image', { image_url: `https://e.com/${name}.png`, alt_text: `Alt ${name}`, ...parts });
const choice = (text: string, more: JsonObject = {}) => ({
  text: plain(text),
  value: '1',
  ...more,
});

const FILM = { title: plain('Film'), video_url: 'https://e.com/embed', alt_text: 'A film' };
const FILM_PAGE = {
  title_url: 'https://e.com/film',
  description: plain('About it'),
  author_name: 'Bo',
  provider_name: 'Tube',
};
const PAGE_OF_CALL = { v1: { name: 'Kickoff', join_url: 'https://e.com/join' } };
const SIZES = [
  { type: 'raw_text', text: 'Size' },
  { type: 'raw_number', value: 5, text: 'five' },
  { type: 'raw_number', value: 1234 },
];
const FLAT = [{ type: 'raw_text', text: 'A4' }, rich(section(words('flat')))];
const NESTED = block('rich_text_future', {
  title: plain('Headline'),
  elements: [
    section(words('inside')),
    { type: 'rich_text_future', note: 'Deeper', elements: [words('last')] },
  ],
});
const UNKNOWN_RUNS = section(
  { type: 'work_object_mention', text: 'Card 7', url: 'https://e.com/7' },
  { type: 'team', team_id: 'T12345678' },
  { type: 'group_of_the_future', elements: [words('grouped')] },
  { type: 'future' },
);
const CODE = block('rich_text_preformatted', {
  elements: [block('emoji', { name: 'art' }), block('user', { user_id: 'U12345678' })],
});
const WAVE = { name: 'wave', unicode: '1f44b-1f3fd', skin_tone: 4 };

/** By kind, one block or several, and what of them has to be in the form, in this order. */
const BLOCKS: Record<string, [blocks: unknown, arrives: string[]]> = {
  'card with a picture': [
    block('card', { hero_image: picture('a'), icon: picture('icon') }),
    ['https://e.com/a.png', 'Alt a', 'https://e.com/icon.png'],
  ],
  call: [
    block('call', { call_id: 'R1', call: PAGE_OF_CALL }),
    ['Kickoff', '"url":"https://e.com/join"'],
  ],
  'unknown block without text': [block('future', { block_id: 'b' }), ['The text', PART_LOST]],
  'unknown block in a known one': [
    block('container', { child_blocks: [textBlock('Seen'), block('future')] }),
    ['Seen', 'The text', PART_LOST],
  ],
  'file of another service': [block('file', { source: 'remote' }), ['The text', PART_LOST]],
  'divider and buttons': [
    [block('divider'), actions(button('Take'))],
    ['The text', CONTROLS],
  ],
  'no block at all': [
    ['text', null, 5],
    ['The text', PART_LOST],
  ],
  menus: [
    textBlock('Choose', {
      accessory: block('static_select', {
        options: [choice('Large')],
        initial_option: choice('Small'),
      }),
    }),
    ['Choose', 'Small', CONTROLS],
  ],
  'menu of links': [
    textBlock('More', {
      accessory: block('overflow', { options: [choice('Guide', { url: 'https://e.com/guide' })] }),
    }),
    ['More', '"url":"https://e.com/guide","text":"Guide"'],
  ],
  'checkboxes and radio buttons': [
    actions(
      block('checkboxes', {
        options: [choice('', { text: mrkdwn('Logo done'), description: plain('By Bo') })],
      }),
      block('radio_buttons', { options: [choice('In blue')] }),
    ),
    ['Logo done', 'By Bo', 'In blue', CONTROLS],
  ],
  input: [
    block('input', {
      label: plain('Your name'),
      hint: plain('Both'),
      element: block('plain_text_input'),
    }),
    ['Your name', 'Both', CONTROLS],
  ],
  picture: [picture('a', { title: plain('Sketch') }), ['https://e.com/a.png', 'Sketch', 'Alt a']],
  'picture in Slack': [
    block('image', {
      slack_file: { url: 'https://acme.slack.com/files/U1/F1/a.png' },
      alt_text: 'In Slack',
    }),
    ['https://acme.slack.com/files/U1/F1/a.png', 'In Slack'],
  ],
  video: [
    block('video', { ...FILM, ...FILM_PAGE }),
    ['https://e.com/film', 'Film', 'About it', 'Bo', 'Tube'],
  ],
  'video without a page': [block('video', FILM), ['"url":"https://e.com/embed","text":"Film"']],
  markdown: [
    block('markdown', { text: '# Top\n**bold** and [here](https://e.com/m) `code`' }),
    ['# Top', '**bold** and [here](https://e.com/m)'],
  ],
  'emoji with a skin tone': [
    rich(section(block('emoji', WAVE))),
    ['"unicode":"1f44b-1f3fd"', '"skin_tone":4'],
  ],
  'unknown rich text with a title around known rich text': [
    rich(NESTED),
    ['Headline', 'inside', 'Deeper', 'last'],
  ],
  'unknown elements of rich text': [
    rich(UNKNOWN_RUNS),
    ['"url":"https://e.com/7","text":"Card 7"', '@T12345678', 'grouped', PART_LOST],
  ],
  'emoji and mentions in code': [rich(CODE), [':art:', '@U12345678']],
};

const ATTACHMENTS: Record<string, [attachment: JsonObject, arrives: string[]]> = {
  'every part of it': [
    {
      pretext: 'Before',
      author_name: 'Bo',
      author_link: 'https://e.com/bo',
      author_subname: 'Team',
      service_name: 'Tracker',
      title: 'Fish &amp; Chips',
      title_link: 'https://e.com/t',
      text: 'Body',
      fallback: 'Never seen',
      fields: [{ title: 'Budget', value: '*5*' }],
      image_url: 'https://e.com/i.png',
      thumb_url: 'https://e.com/th.png',
      footer: 'From the tracker',
      ts: 1_700_000_000,
      actions: [{ type: 'button', text: 'See', url: 'https://e.com/see' }],
    },
    [
      'Before',
      'Bo',
      'https://e.com/bo',
      'Team',
      'Tracker',
      'Fish & Chips',
      'https://e.com/t',
      'Body',
      'Budget',
      'https://e.com/i.png',
      'https://e.com/th.png',
      'From the tracker',
      '2023-11-14 22:13 UTC',
      'See',
      'https://e.com/see',
    ],
  ],
  'unknown blocks': [{ blocks: [block('future')], fallback: 'In short' }, ['In short', PART_LOST]],
  'nothing readable': [{ color: 'good' }, [PART_LOST]],
  'the links of a preview': [
    {
      service_name: 'Tracker',
      service_url: 'https://e.com/tracker',
      title: 'A page',
      video_url: 'https://e.com/v.mp4',
      from_url: 'https://e.com/page',
    },
    [
      '"url":"https://e.com/tracker","text":"Tracker"',
      'A page',
      '"url":"https://e.com/v.mp4"',
      '"url":"https://e.com/page"',
    ],
  ],
  'only an original address': [
    { original_url: 'https://e.com/page' },
    ['"url":"https://e.com/page"'],
  ],
  'a message that a link leads to': [
    { is_msg_unfurl: true, author_name: 'Bo', text: 'Hi', from_url: 'https://e.com/m' },
    ['Bo', 'Hi', '"url":"https://e.com/m","text":"Open the original message in Slack"'],
  ],
  'a forwarded message of which no block can be read': [
    { is_share: true, text: 'Body', message_blocks: [{ message: { blocks: [block('x')] } }] },
    ['Body', PART_LOST],
  ],
  'forwarded messages in one another': [
    {
      is_share: true,
      author_name: 'Bo',
      message_blocks: [
        { message: { blocks: [textBlock('First')] } },
        { message: { text: 'Second', attachments: [{ is_share: true, text: 'Third' }] } },
      ],
      attachments: [{ is_share: true, text: 'Fourth' }],
    },
    ['Bo', 'First', 'Second', 'Third', 'Fourth'],
  ],
};

describe('What a message contains arrives in the form', () => {
  it('all kinds of blocks', async ({ world }) => {
    for (const [kind, [blocks, arrives]] of Object.entries(BLOCKS)) {
      const content = { text: 'The text', blocks: [blocks].flat() as JsonObject[] };
      const { description } = await formFrom(world, content);
      let end = 0;
      for (const words of arrives) {
        const at = description.indexOf(words, end);
        expect(at, `${kind}: ${words}`).toBeGreaterThanOrEqual(end);
        end = at + words.length;
      }
      expect(description, kind).not.toMatch(/remote|Take/);
      if (!arrives.includes(CONTROLS)) expect(description, kind).not.toContain(CONTROLS);
      if (!arrives.includes(PART_LOST)) expect(description, kind).not.toContain(PART_LOST);
    }
  });

  it('all kinds of attachments', async ({ world }) => {
    for (const [kind, [attachment, arrives]] of Object.entries(ATTACHMENTS)) {
      const { description } = await formFrom(world, { attachments: [attachment] });
      for (const words of arrives) expect(description, kind).toContain(words);
      expect(description, kind).not.toContain('Never seen');
    }
  });

  it('its blocks, its attachments, and where it is from, in this order', async ({ world }) => {
    const { description } = await formFrom(world, {
      blocks: [block('header', { text: plain('New lead') }), textBlock('Wants a banner')],
      attachments: [{ pretext: 'Also', title: 'Brief' }],
    });
    expect(description).toMatch(/New lead.*Wants a banner.*Also.*Brief.*From a message/s);
  });

  it('a forwarded message with its text, its files, and its link', async () => {
    const { world, acme, admin, general, slack, ada } = await startWorld();
    const file = acme.addFile(admin, { name: 'brief.pdf' });
    const original = await ada.post(general, 'Banner, please', {
      blocks: [rich(section(words('Banner, please')))],
      files: [fileOutput(slack.state, file)],
    });
    const forwarded = await ada.forward(original, general);
    const { me, description } = await formFrom(world, forwarded);
    expect(description).toContain('Banner, please');
    expect(description).toContain(`/archives/${general.id}/p${original.ts.replace('.', '')}`);
    expect(me.field(ATTACHED).options).toEqual(['brief.pdf']);
  });

  it('the address of a preview once, if the message has it', async ({ world }) => {
    const page = 'https://e.com/page';
    const { description } = await formFrom(world, {
      text: `See <${page}>`,
      attachments: [{ title: 'A page', title_link: page, from_url: page, image_url: page }],
    });
    expect(description).toContain('A page');
    expect(description.split(`"url":"${page}"`)).toHaveLength(3);
  });

  it('the text once, if the blocks that can be read repeat it', async ({ world }) => {
    const { description } = await formFrom(world, {
      text: 'The text',
      blocks: [textBlock('The  text\n'), block('future')],
    });
    expect(description.match(/The +text/g)).toHaveLength(1);
  });

  it('a picture of an app that is stored in Slack', async ({ world, acme, admin }) => {
    const file = acme.addFile(admin, { name: 'sketch.png' });
    const { me, description } = await formFrom(world, {
      blocks: [block('image', { slack_file: { id: file.id } })],
    });
    expect(me.field(ATTACHED).options).toEqual(['sketch.png']);
    expect(description).not.toContain(PART_LOST);
  });

  it('that it was deleted', async ({ world }) => {
    const { description } = await formFrom(world, {
      text: 'This message was deleted.',
      subtype: 'tombstone',
    });
    expect(description).toContain('The message was deleted, so nothing of it could be copied.');
    expect(description).not.toContain('This message was deleted.');
  });

  it('its first line as the title, unless it mentions someone', async ({ world, ann }) => {
    const mention = { type: 'user', user_id: ann.id };
    for (const [said, title] of [
      [[words('Spring banner')], 'Spring banner'],
      [[words('Spring banner, cc '), mention], ''],
    ] as const) {
      const { me } = await formFrom(world, { blocks: [rich(section(...said))] });
      expect(asObject(me.field('Title').value).value ?? '').toBe(title);
    }
  });

  it('that nothing of it can be read', async ({ world }) => {
    const unknown = { room: { name: 'Huddle' } } as Partial<Message>;
    const { description } = await formFrom(world, { ...unknown, text: '', blocks: [] });
    expect(description).toContain(PART_LOST);
  });
});

const styled = (text: string, ...styles: string[]) => ({
  type: 'text',
  text,
  style: Object.fromEntries(styles.map((style) => [style, true])),
});

/** Everything that rich text can be and a form can take. */
const RICH = [
  section(
    ...['bold', 'italic', 'strike', 'underline', 'code'].map((style) => styled(style, style)),
    link('https://e.com/l', 'A link'),
    { type: 'user', user_id: 'U12345678' },
    { type: 'channel', channel_id: 'C12345678' },
    { type: 'usergroup', usergroup_id: 'S12345678' },
    { type: 'emoji', name: 'art' },
  ),
  {
    type: 'rich_text_list',
    style: 'ordered',
    elements: [section(words('Second'))],
    indent: 1,
    offset: 1,
  },
  { type: 'rich_text_list', style: 'bullet', elements: [section(words('Item'))] },
  { type: 'rich_text_quote', elements: [words('Quoted')] },
  { type: 'rich_text_preformatted', elements: [words('raw')] },
];

const DATE = 1_764_058_860;

/** Blocks, and the parts of rich text that the description begins with. */
const LOOKS: [kind: string, blocks: JsonObject[], parts: JsonObject[]][] = [
  ['rich text', [rich(...RICH)], RICH],
  [
    'what a form can’t take of rich text',
    [
      rich(
        section(
          { type: 'broadcast', range: 'here' },
          { type: 'color', value: '#aabbcc' },
          link('javascript:alert(1)', 'press me'),
          'not even an object' as unknown as JsonObject,
          { type: 'date', timestamp: DATE, format: '{date_short}' },
          { type: 'date', timestamp: DATE, format: '{time}', url: 'https://e.com/d' },
        ),
      ),
    ],
    [
      section(
        words('@here'),
        words('#aabbcc'),
        words('press me'),
        words('not even an object'),
        words('2025-11-25 08:21 UTC'),
        link('https://e.com/d', '2025-11-25 08:21 UTC'),
      ),
    ],
  ],
  [
    'a header',
    [block('header', { text: plain(':art: Fish &amp; Chips') })],
    [section({ type: 'emoji', name: 'art' }, words(' Fish & Chips'))],
  ],
  [
    'a text of an app',
    [
      textBlock(
        `*<https://e.com/b|label>* *b* _i *too*_ ~s~ \`c\` :art: :wave-us: <https://e.com/l|l> <@U12345678> <#C12345678> <!subteam^S12345678|@t> <!here> <!date^${DATE}^{date_short}^https://e.com/d|then> &lt;\n&gt; quoted\n\`\`\`\nraw *code*\n\`\`\``,
      ),
    ],
    [
      section(
        { ...link('https://e.com/b', 'label'), style: { bold: true } },
        words(' '),
        styled('b', 'bold'),
        words(' '),
        styled('i ', 'italic'),
        styled('too', 'italic', 'bold'),
        words(' '),
        styled('s', 'strike'),
        words(' '),
        styled('c', 'code'),
        words(' '),
        { type: 'emoji', name: 'art' },
        words(' '),
        { type: 'emoji', name: 'wave-us' },
        words(' '),
        link('https://e.com/l', 'l'),
        words(' '),
        { type: 'user', user_id: 'U12345678' },
        words(' '),
        { type: 'channel', channel_id: 'C12345678' },
        words(' '),
        { type: 'usergroup', usergroup_id: 'S12345678' },
        words(' '),
        words('@here'),
        words(' '),
        words('then'),
        words(' <\n> quoted'),
      ),
      { type: 'rich_text_preformatted', elements: [words('raw *code*')] },
    ],
  ],
  [
    'a table, a line for each row',
    [block('table', { rows: [SIZES, FLAT] })],
    [
      section(words('Size'), words(' | '), words('five'), words(' | '), words('1234')),
      section(words('A4'), words(' | '), words('flat')),
    ],
  ],
];

describe('What a message contains looks the same in the form', () => {
  it('in all kinds of blocks', async ({ world }) => {
    for (const [kind, blocks, parts] of LOOKS) {
      const { description } = await formFrom(world, { blocks });
      expect(JSON.parse(description).elements.slice(0, parts.length), kind).toEqual(parts);
    }
  });
});

/** Files of a message, and what arrives. */
const FILES: [kind: string, FileOptions, arrives: 'attached' | 'link' | string][] = [
  ['upload', { name: 'a.png' }, 'attached'],
  ['upload without a mode', { name: 'a.png', mode: '' }, 'attached'],
  ['snippet', { name: 'a.txt', mode: 'snippet' }, 'attached'],
  ['email', { name: 'mail.html', mode: 'email', mimetype: 'text/html' }, 'attached'],
  ['canvas', { name: 'Plan', mode: 'canvas', size: 0 }, 'link'],
  ['canvas by its type', { name: 'Plan', mimetype: 'application/vnd.slack-docs' }, 'link'],
  ['list', { name: 'Tasks', mode: 'list', size: 0 }, 'link'],
  ['post', { name: 'Post', mode: 'post', size: 900 }, 'link'],
  ['unknown mode', { name: 'New', mode: 'whiteboard', size: 900 }, 'link'],
  ['elsewhere', { name: 'Doc', external: 'https://docs.example.com/1' }, 'link'],
  ['young and uploading', { name: 'big.mov', status: 'uploading' }, 'attached'],
  [
    'an upload that never ended',
    { name: 'stuck.png', status: 'uploading', createdAt: new Date('2026-01-01') },
    'link',
  ],
  [
    'an upload that begins in the future',
    { name: 'odd.png', status: 'uploading', createdAt: new Date('2100-01-01') },
    'link',
  ],
  ['upload of an odd size', { name: 'odd.png', size: -1 }, 'link'],
  ['deleted', { name: 'old.pdf', status: 'deleted' }, '“old.pdf” was deleted in Slack.'],
  ['too large', { name: 'Large film', size: 5_000_000_000 }, 'link'],
  ['not for the app', { name: 'secret.pdf', sharedWithApp: false }, 'link'],
  ['access denied', { name: 'denied.pdf', access: 'access_denied' }, 'link'],
  ['unknown access', { name: 'odd.pdf', access: 'of_the_future' }, 'link'],
];

describe('Each file of a message arrives', () => {
  it('of every kind', async ({ world, acme, admin, slack }) => {
    for (const [kind, options, arrives] of FILES) {
      const file = acme.addFile(admin, options);
      const { id, name } = file;
      const known = { id, name, permalink: `https://acme.slack.com/files/${id}` };
      const given = options.status === 'deleted' ? known : fileOutput(slack.state, file);
      const { me, description } = await formFrom(world, { files: [given] });
      expect(hasField(me, ATTACHED), kind).toBe(arrives === 'attached');
      if (arrives === 'link')
        expect(description).toMatch(new RegExp(`"url":"[^"]*${id}[^"]*","text":"${name}"`));
      else if (arrives !== 'attached') expect(description, kind).toContain(arrives);
    }
  });

  it('as a link if there are more than ten', async ({ world, acme, admin, slack }) => {
    const files = Array.from({ length: 22 }, (_, at) =>
      fileOutput(slack.state, acme.addFile(admin, { name: `${at}.png` })),
    );
    const { me, description } = await formFrom(world, { files });
    expect(me.field(ATTACHED).options).toHaveLength(10);
    expect(description.match(/"text":"\d+\.png"/g)).toHaveLength(12);
  });

  it('by what Slack says of it, or as a sentence', async ({ world }) => {
    const address = 'https://e.com/1';
    const permalink = 'https://acme.slack.com/files/U1/F1/film.mov';
    const rows: [unknown, string][] = [
      // A name may look like a host.
      [{ name: 'film.mov', permalink }, `"url":"${permalink}","text":"film.mov"`],
      ...['permalink', 'external_url', 'url_private'].map((of): [JsonObject, string] => [
        { title: 'One', [of]: address },
        `"url":"${address}","text":"One"`,
      ]),
      [{ id: 'F1', mode: 'tombstone' }, 'A file was deleted in Slack.'],
      [{ id: 'F1', mode: 'hidden_by_limit' }, 'Slack hides a file because of your plan’s limits.'],
      [{ id: 'F1' }, 'A file couldn’t be copied.'],
      ['F1', 'A file couldn’t be copied.'],
    ];
    for (const [file, arrives] of rows) {
      const { description } = await formFrom(world, { files: [file as JsonObject] });
      expect(description, JSON.stringify(file)).toContain(arrives);
    }
  });

  it('in a channel shared with another company, whose files Slack only names when asked', async () => {
    const { acme, ann, slack, me } = await startWorld();
    const globex = slack.addWorkspace({ name: 'Globex', installed: false });
    const shared = acme.addChannel({ name: 'with-globex', sharedWith: [globex], members: [ann] });
    const files = [{ name: 'logo.png' }, { name: 'Plan', mode: 'canvas', size: 0 }].map((one) =>
      fileOutput(slack.state, acme.addFile(ann, one)),
    );
    const { delivery } = await me.messageShortcut(
      await me.post(shared, 'Files', { files }),
      'Create design request',
    );
    expect(asObject(delivery.payload.message).files).toMatchObject([
      { mode: 'file_access', file_access: 'check_file_info' },
      { mode: 'file_access', file_access: 'check_file_info' },
    ]);
    await slack.until(() => seesCompleteForm(me), 'the form');
    expect(me.field(ATTACHED).options).toEqual(['logo.png']);
    expect(describedIn(me)).toContain('"text":"Plan"');
    const asked = slack.apiCalls.map(({ method }) => method);
    for (const method of ['files.info', 'chat.getPermalink'])
      expect(asked.indexOf(method)).toBeGreaterThan(asked.indexOf('views.open'));
  });

  it('or their number, if they are very many', async ({ world }) => {
    const files = Array.from({ length: 60 }, (_, at) => ({
      id: `F${at}`,
      name: `${at}-${'n'.repeat(5_000)}.png`,
      permalink: `https://acme.slack.com/files/F${at}`,
    }));
    const { description } = await formFrom(world, { files });
    expect(description).toContain('The message has more files. Open it in Slack to see them.');
  });

  it('as a link as long as Slack is too slow to answer', async ({ world, acme, admin, slack }) => {
    const files = ['fast.png', 'slow.png'].map((name) =>
      fileOutput(slack.state, acme.addFile(admin, { name })),
    );
    slack.faults.add({ method: 'files.info', kind: 'stall', ms: 4_000, times: 1 });
    const { me, description } = await formFrom(world, { files });
    expect(me.field(ATTACHED).options).toHaveLength(1);
    expect(description).toMatch(/"text":"(fast|slow).png"/);
  });
});
