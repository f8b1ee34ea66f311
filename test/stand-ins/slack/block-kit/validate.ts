import type { z } from 'zod';
import { isObject, objectsOf } from '../json.ts';
import { BLOCKS, type Surface, unfurl, view } from './blocks.ts';
import { repeated } from './parts.ts';

export type BlockKitProblem = { message: string; pointer: string };

export function problemsOf(schema: z.ZodType, value: unknown, root: string): BlockKitProblem[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map(({ message, path }) => ({ message, pointer: [root, ...path].join('/') }));
}

/** What is unique in all blocks: each block_id, and the element that has the focus. */
function repetitionsIn(blocks: unknown, root: string): BlockKitProblem[] {
  const all = objectsOf(blocks);
  const ids = repeated(all.map(({ block_id: id }) => id));
  const focused = all.flatMap((block) =>
    [block.element, block.accessory, ...objectsOf(block.elements)].filter(
      (element) => isObject(element) && element.focus_on_load === true,
    ),
  );
  return [
    ...ids.map((at) => ({ message: 'must be unique', pointer: `${root}/${at}/block_id` })),
    ...focused.slice(1).map(() => ({ message: 'must have one focus_on_load', pointer: root })),
  ];
}

/** Pointers start with `/blocks`. Sources: docs.slack.dev/reference/block-kit and @slack/types. */
export const validateBlocks = (blocks: unknown, surface: Surface): BlockKitProblem[] => [
  ...problemsOf(BLOCKS[surface], blocks, '/blocks'),
  ...repetitionsIn(blocks, '/blocks'),
];

/** Slack says 250 KB; this is the smaller interpretation. Bytes of the view as JSON in UTF-8. */
const VIEW_BYTES = 250_000;
/** Slack answers this one with the error view_too_large, without a pointer. */
export const VIEW_TOO_LARGE = 'must be less than 250 KB';

/** As `views.*` accepts it, without the ID, state, and hash. Pointers start with `/view`, as in Slack's answers. */
export function validateView(given: unknown): BlockKitProblem[] {
  const blocks = isObject(given) ? given.blocks : undefined;
  const problems = [...problemsOf(view, given, '/view'), ...repetitionsIn(blocks, '/view/blocks')];
  if (problems.length > 0 || Buffer.byteLength(JSON.stringify(given)) <= VIEW_BYTES)
    return problems;
  return [{ message: VIEW_TOO_LARGE, pointer: '/view' }];
}

/** The same for one URL's attachment in `chat.unfurl`. Pointers start at it, such as `/blocks/0/text`. */
export function validateUnfurl(given: unknown): BlockKitProblem[] {
  const blocks = isObject(given) ? given.blocks : undefined;
  return [...problemsOf(unfurl, given, ''), ...repetitionsIn(blocks, '/blocks')];
}
