import { isObject } from '../block-kit/check.ts';
import {
  type BlockKitProblem,
  validateBlocks,
  validateUnfurl,
  validateView,
} from '../block-kit/validate.ts';
import { type JsonObject, objectsOf } from '../json.ts';
import { refuse } from '../refusal.ts';
import { refuseFilesWithoutScope, VIEW_TOO_LARGE } from '../views/stacks.ts';
import { refuseLongBlocks } from './message-content.ts';
import { type BotCall, jsonArgument, type Method } from './method.ts';

/** What Slack validates, with the beginning that the pointers of its answer leave out. */
const KINDS = {
  message: { root: '', problemsOf: problemsOfMessage },
  view: { root: '/view', problemsOf: validateView },
} as const;
type Kind = keyof typeof KINDS;

function problemsOfMessage(given: unknown): BlockKitProblem[] {
  if (!isObject(given)) return [{ message: 'must provide an object', pointer: '' }];
  const { blocks, attachments, ...others } = given;
  if (blocks === undefined && attachments === undefined) {
    return [{ message: 'must define either `blocks` or `attachments`', pointer: '' }];
  }
  refuseLongBlocks([blocks, ...objectsOf(attachments).map((one) => one.blocks)]);
  return [
    ...(blocks === undefined ? [] : validateBlocks(blocks, 'message')),
    // The app's only attachments are previews of links.
    ...objectsOf(attachments).flatMap((attachment, index) =>
      validateUnfurl(attachment).map(({ message, pointer }) => ({
        message,
        pointer: `/attachments/${index}${pointer}`,
      })),
    ),
    ...Object.keys(others).map((name) => ({
      message: `invalid additional property: ${name}`,
      pointer: '',
    })),
  ];
}

/**
 * Source: docs.slack.dev/reference/methods/blocks.validate. What is undocumented is as strict as what shows the same: the
 * errors for what is too large, and for files without their scope.
 */
function validate({ state, workspace, args }: BotCall): JsonObject {
  const given = (Object.keys(KINDS) as Kind[]).filter((kind) => (args[kind] ?? '') !== '');
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    const messages = ['must provide exactly one of `blocks`, `view`, or `message`'];
    return refuse('invalid_arguments', [], { response_metadata: { messages } });
  }
  const value = jsonArgument(args, kind, `invalid_${kind}`);
  const { root, problemsOf } = KINDS[kind];
  const found = problemsOf(value);
  if (found.some(({ message }) => VIEW_TOO_LARGE.test(message))) return refuse('view_too_large');
  if (found.length > 0) {
    const errors = found.map(({ message, pointer }) => ({
      code: 'failed_constraint',
      message,
      pointer: pointer.slice(root.length),
    }));
    return refuse(`invalid_${kind}`, [], { errors });
  }
  if (kind === 'view' && isObject(value)) refuseFilesWithoutScope(state, workspace.id, value);
  return {};
}

export const blockMethods: Record<string, Method> = {
  'blocks.validate': { by: 'bot', scopes: [], call: validate },
};
