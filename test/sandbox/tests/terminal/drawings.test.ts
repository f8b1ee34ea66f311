import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../stand-ins/slack/json.ts';
import type { Message } from '../../../stand-ins/slack/state/model.ts';
import type { OpenView } from '../../../stand-ins/slack/state/views.ts';
import { blocksAsLines } from '../../terminal/blocks.ts';
import { cardAsLines } from '../../terminal/card.ts';
import { messageAsLines } from '../../terminal/message.ts';
import { timesAsLines } from '../../terminal/times.ts';
import { viewAsLines } from '../../terminal/view.ts';
import { COLORFUL, LOOK } from './look.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (text: string) => ({ text: plain(text), value: text });
const button = (text: string) => ({ type: 'button', text: plain(text), action_id: text });

const drawn = (...lines: string[]) => lines;

describe('blocks on a terminal', () => {
  it('are drawn as sections with their facts, context, pictures with their URL, and buttons', () => {
    const blocks = [
      { type: 'header', text: plain('News') },
      { type: 'section', text: mrkdwn('*A card* with words that need a second line') },
      {
        type: 'section',
        fields: [mrkdwn('*Status*\nTo do'), mrkdwn('*Sizes*\n1 × 1\n2 × 2'), mrkdwn('plain')],
      },
      { type: 'divider' },
      { type: 'context', elements: [mrkdwn('by <@U1>'), plain('*now*')] },
      { type: 'image', image_url: 'https://files.example.com/1.png', alt_text: 'a banner' },
      { type: 'actions', elements: [button('Open'), button('Refresh')] },
      { type: 'video' },
    ];
    expect(blocksAsLines(blocks, LOOK)).toEqual(
      drawn(
        'News',
        'A card with words that need a second',
        'line',
        'Status          To do',
        'Sizes           1 × 1',
        '                2 × 2',
        'plain',
        '─'.repeat(40),
        'by @Ann  *now*',
        'Picture: a banner',
        'https://files.example.com/1.png',
        '[ Open ]  [ Refresh ]',
        '(video)',
      ),
    );
  });

  it('are empty if there are none', () => {
    expect(blocksAsLines(undefined, LOOK)).toEqual([]);
  });

  it('show rich text as text', () => {
    const section = (elements: JsonObject[]) => ({ type: 'rich_text_section', elements });
    const block = {
      type: 'rich_text',
      elements: [
        section([
          { type: 'text', text: 'For ' },
          { type: 'user', user_id: 'U1' },
          { type: 'channel', channel_id: 'C1' },
          { type: 'emoji', name: 'art' },
          { type: 'link', url: 'https://example.com' },
        ]),
        { type: 'rich_text_list', elements: [section([{ type: 'text', text: 'one' }])] },
      ],
    };
    expect(blocksAsLines([block], { ...LOOK, columns: 60 })).toEqual(
      drawn('For @Ann#general:art:https://example.com', '• one'),
    );
  });
});

describe('a modal on a terminal', () => {
  const input = (label: string, element: JsonObject, optional = false) => ({
    type: 'input',
    block_id: label,
    label: plain(label),
    optional,
    element: { action_id: 'it', ...element },
  });
  const open: OpenView = {
    ...{ id: 'V1', workspaceId: 'T1', teamId: 'T1', userId: 'U1', rootId: 'V1', hash: '1' },
    ...{ previousId: undefined, channelId: undefined, notice: undefined },
    errors: { Title: 'Too short.' },
    view: {
      title: plain('Design request'),
      submit: plain('Send'),
      close: plain('Cancel'),
      blocks: [
        { type: 'section', text: mrkdwn('Mend what is marked.') },
        input('Title', { type: 'plain_text_input' }),
        input('Type', { type: 'static_select', options: ['A', 'B'].map(option) }),
        input(
          'Empty',
          {
            type: 'static_select',
            options: ['0', '1', '2', 'A name that is longer than others', ...'456789'].map(option),
          },
          true,
        ),
        input('Brand', { type: 'external_select', placeholder: plain('Search') }, true),
        input('Formats', { type: 'multi_static_select', options: ['A', 'B'].map(option) }),
        input('Sizes', { type: 'plain_text_input', placeholder: plain('1 × 1') }, true),
        input('A label that is long', { type: 'rich_text_input' }, true),
        input('Draft', { type: 'checkboxes', options: ['Save', 'Keep'].map(option) }, true),
        input('Share in', { type: 'conversations_select' }, true),
      ],
    },
    values: {
      Title: { it: { type: 'plain_text_input', value: 'Banner' } },
      Type: { it: { type: 'static_select', selected_option: option('B') } },
      Formats: { it: { type: 'multi_static_select', selected_options: ['A', 'B'].map(option) } },
      'A label that is long': {
        it: {
          type: 'rich_text_input',
          rich_text_value: { elements: [{ elements: [{ type: 'text', text: 'Words' }] }] },
        },
      },
      Draft: { it: { type: 'checkboxes', selected_options: [option('Save')] } },
      'Share in': { it: { type: 'conversations_select', selected_conversation: 'C1' } },
    },
  };

  it('shows every field with its value, its options, and its error', () => {
    expect(viewAsLines(open, LOOK)).toEqual(
      drawn(
        `┌─ Design request ${'─'.repeat(22)}`,
        '│ Mend what is marked.',
        '│ Title *         Banner',
        '│                 ⚠️ Too short.',
        '│ Type *          B ▾',
        '│ Empty           — ▾',
        '│                 offers 0, 1, 2, A name',
        '│                 that is longer t…, 4,',
        '│                 5, 6, 7 and 2 more',
        '│ Brand           Search ▾',
        '│                 type to search',
        '│ Formats *       A, B ▾',
        '│ Sizes           1 × 1',
        '│ A label that is long',
        '│                 Words',
        '│ Draft           [x] Save  [ ] Keep',
        '│ Share in        #general ▾',
        '└─ [ Cancel ]  [ Send ]',
      ),
    );
  });

  it('shows only the requested fields', () => {
    expect(viewAsLines(open, LOOK, ['Type'])).toEqual(
      drawn(
        `┌─ Design request ${'─'.repeat(22)}`,
        '│ Type *          B ▾',
        '└─ the rest is unchanged',
      ),
    );
  });
});

describe('a message on a terminal', () => {
  const message: Message = {
    ...{
      ts: '1.0',
      channelId: 'C1',
      userId: 'U1',
      teamId: 'T1',
      text: 'See <https://example.com/1>',
    },
    ...{ threadTs: undefined, botId: undefined, metadata: undefined, entities: [], edited: false },
    blocks: [],
    attachments: [{ color: '#5b6cff', blocks: [{ type: 'section', text: mrkdwn('*Banner*') }] }],
  };

  it('is shown in its channel, its unfurl after a bar whose color is written out', () => {
    expect(messageAsLines(message, LOOK)).toEqual(
      drawn(
        '@Ann in #general',
        '│ See https://example.com/1',
        '│ ▌ Banner',
        '│ ▌ (the bar is #5b6cff)',
      ),
    );
  });

  it('has a colored bar if the terminal has colors', () => {
    expect(messageAsLines(message, COLORFUL)).toEqual(
      drawn(
        '\u001B[1m@Ann\u001B[22m in #general',
        '│ See https://example.com/1',
        '│ \u001B[38;2;91;108;255m▌ \u001B[39m\u001B[1mBanner\u001B[22m',
      ),
    );
  });

  it('shows its blocks instead of its text, and Slack’s default bar if there is no color', () => {
    const blocks = [{ type: 'section', text: plain('Blocks') }];
    const attachments = [{ blocks }];
    expect(messageAsLines({ ...message, blocks, attachments }, LOOK)).toEqual(
      drawn('@Ann in #general', '│ Blocks', '│ ▌ Blocks', '│ ▌ (the bar is #dddddd)'),
    );
  });
});

describe('a card on a terminal', () => {
  it('has every field under the service’s own name', () => {
    const card = {
      title: 'Spring\u001B[2J banner',
      status: { id: 's1', name: 'To do', color: '#5b6cff' },
      labels: '',
      due_date: null,
      files: [{ id: 'f1' }],
    };
    expect(cardAsLines(card, { ...LOOK, columns: 60 })).toEqual(
      drawn(
        'title           Spring[2J banner',
        'status          To do (s1, #5b6cff)',
        'labels          ""',
        'due_date        null',
        'files           [{"id":"f1"}]',
      ),
    );
  });
});

describe('the table of times', () => {
  it('compares each with the three seconds, if Slack limits it', () => {
    const timings = [
      { what: '/design-request', acknowledgedMs: 0.2, shownMs: 11.6, shownIsLimited: true },
      { what: 'Send', acknowledgedMs: 8, shownMs: 1_200, shownIsLimited: false },
    ];
    expect(timesAsLines(timings)).toEqual(
      drawn(
        '                                  acknowledged   on screen',
        '                                  (limit 3 s)',
        '/design-request                   1 ms           12 ms (limit 3 s)',
        'Send                              8 ms           1200 ms',
      ),
    );
  });
});
