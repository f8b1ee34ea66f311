import { isObject } from '../json.ts';
import type { SlackState } from '../state/state.ts';
import { refuseProblems } from './problems.ts';

/** In the list of broken pictures, this means all pictures. */
const EVERY_IMAGE = '*';

/** The JSON pointers, below the given one, of the pictures in a value that Slack can't fetch. */
export function imagePointers(value: unknown, pointer: string, broken: Set<string>): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => imagePointers(item, `${pointer}/${index}`, broken));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'image_url' &&
    typeof inner === 'string' &&
    (broken.has(inner) || broken.has(EVERY_IMAGE))
      ? [`${pointer}/${key}`]
      : imagePointers(inner, `${pointer}/${key}`, broken),
  );
}

/**
 * Refuses blocks with a picture that was marked as one that Slack can't fetch. Slack's wording as reported in
 * slackapi/python-slack-sdk#1782.
 */
export function refuseBrokenImages(
  state: SlackState,
  blocks: unknown,
  under: string,
  code = 'invalid_blocks',
): void {
  const pointers = imagePointers(blocks, `${under}/blocks`, state.brokenImages);
  refuseProblems(
    code,
    pointers.map((pointer) => ({ message: 'downloading image failed', pointer })),
  );
}
