import type { RichTextBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormDraft } from '../../../src/requests/request.ts';
import type { FormOptions } from '../../../src/service/cache/reference-lists.ts';
import type { ViewValues } from '../../../src/slack/interaction/views.ts';
import { FORM_FIELDS } from '../../../src/slack/request-form/fields.ts';
import { buildFormView } from '../../../src/slack/request-form/form-view.ts';
import { hiddenIn, parseForm, readDraft } from '../../../src/slack/request-form/parse.ts';
import { validateView } from '../../stand-ins/slack/block-kit/validate.ts';
import { initialState } from '../../stand-ins/slack/block-kit/view-state.ts';
import { hostileText } from '../text/hostile-text.ts';

const COUNTS = [1, 99, 100, 101, 300];
const UNITS = ['x', '"', '\\', '&', '字', '👩‍👩‍👧‍👦', 'e\u0301', ' '];

/** Names that take up space: long, with a common beginning, and of multibyte characters. */
const anyNames = fc
  .record({
    count: fc.constantFrom(...COUNTS),
    unit: fc.constantFrom(...UNITS),
    length: fc.constantFrom(0, 10, 74, 75, 76, 150, 300),
    odd: fc.array(fc.oneof(hostileText, fc.constantFrom('\u0007', `sha256-${'a'.repeat(64)}`))),
  })
  .map(({ count, unit, length, odd }) => {
    const long = unit.repeat(Math.ceil(length / unit.length));
    const names = Array.from({ length: count }, (_, index) => `${long}${index}`);
    return [...odd.filter((name) => name.trim() !== ''), ...names];
  });

type Lists = Record<'products' | 'softwares' | 'formats' | 'others', string[]>;
type Form = { options: FormOptions; draft: FormDraft };

/** Lists of different lengths, or all as long as the longest. */
const anyLists: fc.Arbitrary<Lists> = fc.oneof(
  fc.record({ products: anyNames, softwares: anyNames, formats: anyNames, others: anyNames }),
  anyNames.map((names) => ({ products: names, softwares: names, formats: names, others: names })),
);

/** A form filled in with the choices at these positions of the lists. */
function formOf(
  { others, ...lists }: Lists,
  picks: { at: number; formats: number[] },
  description: RichTextBlock,
): Form {
  const listed = others.map((name, index) => ({ id: `${name}/${index}`, name }));
  const type = { id: 'chosen', name: others[0] ?? 'Type', ...lists };
  const none = { products: [], softwares: [], formats: [] };
  const pick = <Item>(items: readonly Item[], at: number) => items[at % items.length];
  const formats = picks.formats.flatMap((at) => pick(lists.formats, at) ?? []);
  return {
    options: {
      requestTypes: [...listed.map((other) => ({ ...other, ...none })), type],
      brands: listed,
    },
    draft: {
      title: '字'.repeat(250),
      requestType: { id: type.id, name: type.name },
      product: pick(lists.products, picks.at),
      software: pick(lists.softwares, picks.at),
      formats: [...new Set(formats)],
      brand: pick(listed, picks.at),
      dimensions: '字'.repeat(3_000),
      description,
    },
  };
}

/** Text of 10,000 characters per run. */
const richTextOf = (unit: string, runs: number): RichTextBlock => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: Array.from({ length: runs }, () => ({ type: 'text', text: unit.repeat(10_000) })),
    },
  ],
});

const anyForm: fc.Arbitrary<Form> = fc
  .record({
    lists: anyLists,
    picks: fc.record({
      at: fc.nat(),
      formats: fc.array(fc.nat(), { minLength: 1, maxLength: 50 }),
    }),
    unit: fc.constantFrom('字', '"', 'x'),
    runs: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ lists, picks, unit, runs }) => formOf(lists, picks, richTextOf(unit, runs)));

/** As much of everything as there can be. */
const largest = [4, 8, 16].flatMap((runs) => {
  const few = Array.from({ length: 95 }, (_, index) => `${'字'.repeat(80)}${index}`);
  const short = Array.from({ length: 80 }, (_, index) => `Name that is short ${index}`);
  const lists = { products: few, softwares: few, formats: few, others: few };
  const all = { at: 0, formats: few.map((_, index) => index).slice(0, 50) };
  const description = richTextOf('x', runs);
  return [
    formOf(lists, all, description),
    formOf({ ...lists, products: short, softwares: short, others: short }, all, description),
  ];
});

describe('a form with long menus', () => {
  it('is accepted by Slack, keeps what was chosen, and can be redrawn with an error at every field', () => {
    fc.assert(
      fc.property(anyForm, ({ options, draft }) => {
        const context = { options };
        const form = { formId: 'f'.repeat(64), draft: { ...draft, description: undefined } };
        const drawn = buildFormView({ ...context, ...form });
        expect(validateView(drawn)).toEqual([]);

        const typed = { description: { rich_text_value: draft.description } };
        const shown = Object.entries(initialState(drawn)).filter(
          ([, one]) => !('description' in one),
        );
        const values: ViewValues = JSON.parse(
          JSON.stringify({ ...Object.fromEntries(shown), description: typed }),
        );
        const hidden = hiddenIn(drawn.blocks, form.draft);
        const entered = readDraft(values, context, hidden);
        const parsed = parseForm(entered, values, context, { now: new Date() });
        const read = 'form' in parsed ? parsed.form : parsed.draft;
        expect(read).toMatchObject({ ...draft, formats: expect.any(Array) });
        expect(new Set(read.formats)).toEqual(new Set(draft.formats));

        const isTooLong = 'problems' in parsed && parsed.problems.description;
        if (isTooLong) return;
        const problems = FORM_FIELDS.map(({ name }) => [name, '&*'.repeat(1_000)]);
        const notice = '字'.repeat(5_000);
        const redrawn = { ...context, ...form, draft: read, notice };
        const view = buildFormView({ ...redrawn, problems: Object.fromEntries(problems) });
        expect(validateView(view)).toEqual([]);
      }),
      { numRuns: 150, examples: largest.map((form): [Form] => [form]) },
    );
  });
});
