import { expect, test } from 'vitest';
import type { Reply } from './scripted-app.ts';
import { input, modal, option, type Setting, setUp } from './setting.ts';

async function withMenu(setting: Setting, element: Record<string, unknown> = {}) {
  const brand = input('brand', 'Brand', { type: 'external_select', ...element });
  const view = modal({ blocks: [brand] });
  const opened = await setting.call('views.open', { trigger_id: await setting.trigger(), view });
  expect(opened).toMatchObject({ ok: true });
}

async function suggestAgainst(reply: Reply) {
  const setting = await setUp();
  await withMenu(setting);
  setting.app.answer(() => reply);
  return { ...setting, suggested: setting.person.suggest('Brand', 'Acme') };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => option(`Brand ${at}`));

test('a hundred options are shown, and with one more there are none', async () => {
  const full = await suggestAgainst({ json: { options: many(100) } });
  expect(await full.suggested).toHaveLength(100);
  const over = await suggestAgainst({ json: { options: many(101) } });
  expect(await over.suggested).toEqual([]);
});

test.each([
  ['no JSON', { text: 'nonsense' }],
  ['no options', { json: {} }],
  ['an option over 75 letters', { json: { options: [option('x'.repeat(76))] } }],
  ['an error', { status: 500 }],
])('%s fails to load', async (_what, reply) => {
  const { suggested } = await suggestAgainst(reply);
  await expect(suggested).rejects.toThrow('Result failed to load');
});

test('a searched menu accepts no more choices than it allows', async () => {
  const setting = await setUp();
  const element = { type: 'multi_external_select', min_query_length: 0, max_selected_items: 2 };
  await withMenu(setting, element);
  setting.app.answer(() => ({ json: { options: many(3) } }));
  const choices = many(3).map(({ text }) => ({ search: '', choose: text.text }));
  await expect(setting.person.fill({ Brand: choices })).rejects.toThrow('takes 2 choices');
  await setting.person.fill({ Brand: choices.slice(0, 2) });
  expect(setting.person.field('Brand').value?.selected_options).toHaveLength(2);
});
