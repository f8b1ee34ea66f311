import type { KnownBlock, PlainTextElement, RichTextBlock } from '@slack/types';

export function plain(text: string): PlainTextElement {
  return { type: 'plain_text', text };
}

export const option = { text: plain('Graphics'), value: 'graphics' };
export const otherOption = { text: plain('Video'), value: 'video' };

const described = { ...otherOption, description: plain('Moving pictures') };
const confirm = {
  title: plain('Watch this card?'),
  text: plain('Changes will be posted here.'),
  confirm: plain('Watch'),
  deny: plain('Cancel'),
};

export const richText: RichTextBlock = {
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: 'Bold', style: { bold: true, italic: true, strike: true } },
        { type: 'link', url: 'https://example.com/brief', text: 'the brief' },
        { type: 'user', user_id: 'U0ANA' },
        { type: 'usergroup', usergroup_id: 'S0DESIGN' },
        { type: 'channel', channel_id: 'C0DESIGN' },
        { type: 'emoji', name: 'wave', unicode: '1f44b' },
      ],
    },
    {
      type: 'rich_text_list',
      style: 'ordered',
      indent: 1,
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'One' }] }],
    },
    { type: 'rich_text_quote', elements: [{ type: 'text', text: 'Quoted' }] },
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'code' }] },
  ],
};

const image = {
  type: 'image',
  image_url: 'https://example.com/a.png',
  alt_text: 'A banner',
} as const;

/** Elements allowed as accessories of sections, in actions, and in inputs. */
const CHOSEN = {
  checkboxes: { type: 'checkboxes', options: [option], initial_options: [option] },
  datepicker: { type: 'datepicker', initial_date: '2026-12-01', placeholder: plain('When') },
  static_select: {
    type: 'static_select',
    options: [option, described],
    initial_option: option,
    placeholder: plain('Product'),
  },
  external_select: { type: 'external_select', min_query_length: 0, initial_option: option },
  conversations_select: {
    type: 'conversations_select',
    initial_conversation: 'C0DESIGN',
    default_to_current_conversation: true,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
  },
  multi_static_select: {
    type: 'multi_static_select',
    options: [option, otherOption],
    initial_options: [otherOption],
    max_selected_items: 2,
  },
  multi_external_select: {
    type: 'multi_external_select',
    initial_options: [option],
    max_selected_items: 2,
  },
};

/** Elements allowed only in inputs. All but plain_text_input belong to modals. */
export const TYPED = {
  plain_text_input: {
    type: 'plain_text_input',
    multiline: true,
    max_length: 3000,
    initial_value: 'Spring banner',
  },
  rich_text_input: { type: 'rich_text_input', initial_value: richText },
  file_input: { type: 'file_input', max_files: 10 },
};

/** Elements allowed only in sections and actions. */
export const CLICKED = {
  button: {
    type: 'button',
    text: plain('Open'),
    action_id: 'open',
    value: '123',
    url: 'https://example.com',
    style: 'primary',
    confirm,
    accessibility_label: 'Open the card',
  },
  overflow: { type: 'overflow', options: [{ ...option, url: 'https://example.com' }] },
};

export const EVERYWHERE = {
  section: {
    type: 'section',
    text: { type: 'mrkdwn', text: '*Title*', verbatim: true },
    fields: [{ type: 'plain_text', text: 'Brand', emoji: false }],
    accessory: image,
  },
  header: { type: 'header', text: plain('Spring banner') },
  divider: { type: 'divider' },
  context: {
    type: 'context',
    elements: [image, { type: 'mrkdwn', text: 'In review' }, plain('x')],
  },
  image,
  actions: { type: 'actions', elements: [CLICKED.button, CHOSEN.datepicker] },
};

export const NOT_IN_UNFURLS = {
  rich_text: richText,
  input: {
    type: 'input',
    label: plain('Title'),
    hint: plain('A few words'),
    element: { type: 'plain_text_input', action_id: 'title' },
    optional: true,
    dispatch_action: false,
  },
} satisfies Record<string, KnownBlock>;

export function modalWith(...blocks: unknown[]) {
  return {
    type: 'modal',
    title: plain('New request'),
    submit: plain('Send'),
    close: plain('Cancel'),
    private_metadata: '{}',
    callback_id: 'request.new',
    notify_on_close: false,
    blocks,
  };
}

export function input(element: object, more: object = {}) {
  return { type: 'input', block_id: 'b', label: plain('Label'), element, ...more };
}

const inputs = Object.entries({
  ...CHOSEN,
  ...TYPED,
  'checkboxes with none chosen': { type: 'checkboxes', options: [option] },
  'static_select with none chosen': { type: 'static_select', options: [option] },
}).map(([name, one]) => [name, input(one)]);
const accessories = Object.entries({ ...CHOSEN, ...CLICKED }).map(([name, accessory]) => [
  `section with ${name}`,
  { type: 'section', text: plain('Text'), accessory },
]);

/** Every kind of block and element, with nearly all its properties. */
export const KINDS: Record<string, object> = {
  ...Object.fromEntries([...accessories, ...inputs]),
  ...EVERYWHERE,
  ...NOT_IN_UNFURLS,
};
