import type { ApiCall } from './api-call.ts';
import { cardOnTheWire } from './card-on-the-wire.ts';
import { createCard } from './create-card.ts';
import { listTasks } from './list-tasks.ts';
import type { Operation } from './operations.ts';
import { errorReply, jsonReply, type Reply } from './replies.ts';
import type { ServiceState } from './service-state.ts';

/** The answer to a call, and what it changed. */
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
    case 'getBrand':
      return read(getBrand(state, admitted.id));
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

function getBrand(state: ServiceState, id: string): Reply {
  const brand = state.referenceLists.brands.find((one) => one.id === id);
  if (!brand) return errorReply(404, 'There is no such brand.');
  return jsonReply(200, { data: brand });
}

const listReply = (items: object[]): Reply => jsonReply(200, { data: items });
