import type { Answers } from './answers.ts';
import { cardOnTheWire, type WireContext } from './card-on-the-wire.ts';
import { type Cards, DEFAULT_PROJECT } from './cards.ts';
import { errorReply, htmlReply, jsonReply, type Reply } from './replies.ts';

const DEFAULT_PER_PAGE = 20;

/**
 * `GET /tasks` (api.md 4.2, where only `projectId` and `perPage` are named): the account's cards, newest first, in
 * the shape that `answers.tasksShape` selects. `page` counts from 1. A project that only other accounts have is
 * forbidden; one that nobody has is answered as `answers.unknownProject` says.
 */
export function listTasks(
  cards: Cards,
  account: string,
  query: URLSearchParams,
  context: WireContext,
): Reply {
  const perPage = positiveInteger(query.get('perPage'), DEFAULT_PER_PAGE);
  const page = positiveInteger(query.get('page'), 1);
  if (perPage === undefined || page === undefined) {
    const wrong = perPage === undefined ? 'perPage' : 'page';
    return errorReply(400, 'The query is not valid.', { [wrong]: `${wrong} must be 1 or more` });
  }
  const projectId = query.get('projectId');
  const inProject = cards
    .all()
    .filter((card) => projectId === null || card.projectId === projectId);
  const own = inProject.filter((card) => card.account === account);
  if (own.length === 0 && inProject.length > 0 && projectId !== null) {
    return errorReply(403, 'This project belongs to another account.');
  }
  if (projectId !== null && projectId !== DEFAULT_PROJECT && inProject.length === 0) {
    const refusal = UNKNOWN_PROJECT[context.answers.unknownProject];
    if (refusal) return refusal();
  }
  const newestFirst = own.toReversed().toSorted((a, b) => +b.createdAt - +a.createdAt);
  const shown = newestFirst
    .slice((page - 1) * perPage, page * perPage)
    .map((card) => cardOnTheWire(card, context));
  return inShape(shown, context);
}

/** The refusals of a project that nobody has; undefined if it counts as empty. */
const UNKNOWN_PROJECT: Record<Answers['unknownProject'], (() => Reply) | undefined> = {
  'not-found': () => errorReply(404, 'There is no such project.'),
  forbidden: () => errorReply(403, 'This project belongs to another account.'),
  invalid: () =>
    errorReply(400, 'The query is not valid.', { projectId: 'projectId is not a project' }),
  empty: undefined,
};

function inShape(tasks: Record<string, unknown>[], { answers }: WireContext): Reply {
  switch (answers.tasksShape) {
    case 'data-array':
      return jsonReply(200, { data: tasks });
    case 'data-items':
      return jsonReply(200, { data: { items: tasks } });
    case 'bare-array':
      return jsonReply(200, tasks);
    case 'empty-object':
      return jsonReply(200, {});
    case 'not-found':
      return errorReply(404, 'There is nothing at this address.');
    case 'html':
      return htmlReply(200);
  }
}

/** Undefined if the text isn't a positive integer. */
function positiveInteger(text: string | null, fallback: number): number | undefined {
  if (text === null) return fallback;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
