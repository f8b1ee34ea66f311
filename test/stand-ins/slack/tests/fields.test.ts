import { expect, test } from 'vitest';
import type { FieldValue } from '../people/field-values.ts';
import { input, modal, setUp } from './setting.ts';

async function filled(element: Record<string, unknown>, value: FieldValue) {
  const setting = await setUp();
  const view = modal({ blocks: [input('field', 'Field', element)] });
  const opened = await setting.call('views.open', { trigger_id: await setting.trigger(), view });
  expect(opened).toMatchObject({ ok: true });
  await setting.person.fill({ Field: value });
  return setting.person.field('Field').value;
}

test('a field accepts only what a person could enter', async () => {
  await expect(filled({ type: 'plain_text_input' }, true)).rejects.toThrow('cannot be put into');
  await expect(filled({ type: 'conversations_select' }, true)).rejects.toThrow(
    'cannot be put into',
  );
  await expect(filled({ type: 'file_input' }, 'a.png')).rejects.toThrow('cannot be put into');
});

test('two fields with one name can’t be told apart by it', async () => {
  const { call, trigger, person } = await setUp();
  const element = { type: 'plain_text_input' };
  const view = modal({ blocks: [input('a', 'Note', element), input('b', 'Note', element)] });
  await call('views.open', { trigger_id: await trigger(), view });
  await expect(person.fill({ Note: 'x' })).rejects.toThrow('2 fields "Note"');
});
