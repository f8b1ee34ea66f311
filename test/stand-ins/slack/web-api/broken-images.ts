import { isObject } from '../json.ts';
import type { SlackState } from '../state/state.ts';
import { refuseProblems } from './problems.ts';

/** Stands for every picture among the broken ones. */
const EVERY_IMAGE = '*';

function imagePointers(value: unknown, pointer: string, broken: Set<string>): string[] {
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
 * Refuses blocks with a picture that was marked as one that Slack cannot fetch.
 * Slack's words as reported in slackapi/python-slack-sdk#1782.
 */
export function refuseBrokenImages(state: SlackState, blocks: unknown, under: string): void {
  const pointers = imagePointers(blocks, `${under}/blocks`, state.brokenImages);
  refuseProblems(
    'invalid_blocks',
    pointers.map((pointer) => ({ message: 'downloading image failed', pointer })),
  );
}
