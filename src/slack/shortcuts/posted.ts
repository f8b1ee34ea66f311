import type { RichTextElement } from '@slack/types';
import type { RichTextPart } from '../text/rich-text-fit.ts';

// What any app or person posted: every part of it may be missing, unknown, or of another type.

export type Posted = { readonly [name: string]: unknown };

/** What couldn't be taken along: buttons and menus, or parts that nothing could be read of. */
export type LeftOut = 'controls' | 'parts';

/** Deepest nesting that is read. Slack's own blocks nest five deep. */
export const DEPTH_MAX = 16;

export const isPosted = (value: unknown): value is Posted =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The text of a text object, or a plain string; '' if it is neither. */
export const textOf = (value: unknown): string =>
  isPosted(value) ? stringOf(value.text) : stringOf(value);

const LABELS = ['text', 'title', 'label', 'name', 'alt_text', 'fallback'];

/** What an object of unknown kind calls itself; '' if it says nothing. */
export const labelOf = (posted: Posted): string =>
  LABELS.map((name) => textOf(posted[name])).find((label) => label !== '') ?? '';

/** All elements of a part, in order. */
export const inlineOf = (part: RichTextPart): RichTextElement[] =>
  part.type === 'rich_text_list'
    ? part.elements.flatMap(({ elements }) => elements)
    : part.elements;
