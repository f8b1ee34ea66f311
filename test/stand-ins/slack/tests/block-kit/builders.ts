import type { Surface } from '../../block-kit/validate.ts';
import { option, plain } from './examples.ts';

/** An invalid block: [name, block, message, pointer below the block, surface if not a message]. */
export type Refusal = [string, unknown, string, string, Surface?];

/** [name, limit, block with something of that size, pointer below the block, surface]. */
export type Limit = [string, number, (size: number) => object, string, Surface?];

/** Text of `size` characters. */
export function letters(size: number): string {
  return 'x'.repeat(size);
}

/** `size` items, each made from its position. */
export function times<T>(size: number, item: (i: number) => T): T[] {
  return Array.from({ length: size }, (_, i) => item(i));
}

/** `size` options with different values. */
export function options(size: number) {
  return times(size, (i) => ({ text: plain('Text'), value: `v${i}` }));
}

/** A section with this accessory. */
export function section(accessory: object) {
  return { type: 'section', text: plain('Text'), accessory };
}

/** A section with a menu with these properties, and no options of its own. */
export function select(more: object) {
  return section({ type: 'static_select', ...more });
}

/** A section with a menu with one option. */
export function menu(more: object) {
  return select({ options: [option], ...more });
}

/** An actions block with one button with these properties. */
export function button(more: object) {
  return { type: 'actions', elements: [{ type: 'button', text: plain('Open'), ...more }] };
}

export function paragraph(...elements: object[]) {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** Rich text of one list with these properties. */
export function richList(more: object) {
  const elements = [{ type: 'rich_text_section', elements: [] }];
  return { type: 'rich_text', elements: [{ type: 'rich_text_list', elements, ...more }] };
}

/** An image block with these properties. */
export function image(more: object) {
  return { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'A banner', ...more };
}
