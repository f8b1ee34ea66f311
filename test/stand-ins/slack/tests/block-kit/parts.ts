import { validateBlocks } from '../../block-kit/validate.ts';
import { KINDS } from './examples.ts';

type Json = { [name: string]: unknown };

/** Every object of a payload, with its JSON pointer. */
export function objectsOf(node: unknown, at = ''): { object: Json; at: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([name, value]) => objectsOf(value, `${at}/${name}`));
  return Array.isArray(node) ? below : [{ object: { ...node }, at }, ...below];
}

/** A copy of the payload with another value at this pointer; `undefined` counts as absent. */
export function replaced(node: unknown, at: string | string[], value: unknown): unknown {
  const [name, ...rest] = typeof at === 'string' ? at.split('/').slice(1) : at;
  if (name === undefined) return value;
  if (Array.isArray(node)) {
    return node.map((item, i) => (`${i}` === name ? replaced(item, rest, value) : item));
  }
  const object: Json = { ...(typeof node === 'object' ? node : {}) };
  return { ...object, [name]: replaced(object[name], rest, value) };
}

/** What is wrong with a block in a modal, as pairs of a pointer below the block and Slack's words. */
export function problems(block: unknown) {
  return validateBlocks([block], 'modal').map(({ message, pointer }) => [
    pointer.slice('/blocks/0'.length),
    message,
  ]);
}

/** What is wrong with a block of this kind that has this value at this pointer. */
export const problemsWith = (kind: string, at: string, value: unknown) =>
  problems(replaced(KINDS[kind], at, value));
