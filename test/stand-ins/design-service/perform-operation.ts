import type { Answers } from './answers.ts';
import type { ApiCall, Operation } from './api-call.ts';
import { cardOnTheWire, type WireContext } from './card-on-the-wire.ts';
import { type Cards, DEFAULT_PROJECT } from './cards.ts';
import { createCard } from './create-card.ts';
import { errorReply, htmlReply, jsonReply, type Reply } from './replies.ts';
import type { ServiceState } from './service-state.ts';

export type Outcome = { reply: Reply; executed: boolean; createdCardId?: string | undefined };

/** An operation whose caller was admitted; `id` is empty if the operation takes none. */
export type Admitted = { account: string; operation: Operation; id: string };

/** Executes one operation of api.md 4. Synchronous, so no other call comes between. */
export function performOperation(state: ServiceState, call: ApiCall, admitted: Admitted): Outcome {
  const { referenceLists } = state;
  switch (admitted.operation) {
    case 'getCard':
      return read(getCard(state, admitted));
    case 'createCard': {
      const { reply, card } = createCard(call, admitted.account, state);
      return { reply, executed: card !== undefined, createdCardId: card?.id };
    }
    case 'listRequestTypes':
      return read(listReply(referenceLists.requestTypes));
    case 'listTags':
      return read(listReply(referenceLists.tags));
    case 'listBrands':
      return read(listReply(referenceLists.brands));
    case 'listTasks':
      return read(listTasks(state.cards, admitted.account, new URLSearchParams(call.query), state));
  }
}

function read(reply: Reply): Outcome {
  return { reply, executed: reply.status === 200 };
}

function getCard(state: ServiceState, { id, account }: Admitted): Reply {
  const card = state.cards.get(id);
  if (!card) return errorReply(404, 'There is no such card.');
  if (card.account !== account) return errorReply(403, 'This card belongs to another account.');
  return jsonReply(200, { data: cardOnTheWire(card, state), status: true });
}

const listReply = (items: object[]): Reply => jsonReply(200, { data: items });

const DEFAULT_PER_PAGE = 20;

/**
 * `GET /tasks` (api.md 4.2, where only `projectId` and `perPage` are named): the account's cards, newest first, in
 * the shape that `answers.tasksShape` selects. `page` counts from 1. A project that only other accounts have is
 * forbidden; one that nobody has is answered as `answers.unknownProject` says.
 */
function listTasks(cards: Cards, account: string, query: URLSearchParams, context: WireContext) {
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
    case 'not-found':
      return errorReply(404, 'There is nothing at this address.');
    case 'html':
      return htmlReply(200);
  }
}

function positiveInteger(text: string | null, fallback: number): number | undefined {
  if (text === null) return fallback;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
