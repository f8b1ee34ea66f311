import { expect, test } from 'vitest';
import type { RequestType } from '../../../src/service/operations/read-list.ts';
import { readDraft } from '../../../src/slack/request-form/parse.ts';
import type { ViewValues } from '../../../src/slack/surface/views.ts';

const GONE = `sha256-${'0'.repeat(64)}`;
const menu = {
  type: 'static_select' as const,
  selected_option: { text: { type: 'plain_text' as const, text: 'gone' }, value: GONE },
};
/** Choices of types that the service has since removed. */
const VALUES: ViewValues = {
  'product@1': { product: menu },
  'software@1': { software: menu },
  'formats@1': {
    formats: { type: 'multi_static_select', selected_options: [menu.selected_option] },
  },
};

/** How many IDs are compared while a form with this many request types is read. */
function looksFor(count: number): number {
  let looks = 0;
  const requestTypes = Array.from(
    { length: count },
    (_, index): RequestType => ({
      get id() {
        looks += 1;
        return `t${index}`;
      },
      ...{ name: 'Banner', products: ['Graphics'], softwares: ['Figma'], formats: ['PNG'] },
    }),
  );
  readDraft(VALUES, { options: { requestTypes, brands: [] }, partnerName: 'Partner' });
  return looks;
}

test('reading a form takes linear time in the number of request types', () => {
  expect(looksFor(2_000)).toBeLessThanOrEqual(3 * looksFor(1_000) + 100);
});
