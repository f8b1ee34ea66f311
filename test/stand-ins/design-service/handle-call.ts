import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerCall } from './answer-call.ts';
import { type CallBody, type CallHead, readBody, readHead } from './api-call.ts';
import { fingerprintOfKey } from './api-keys.ts';
import type { Fault } from './faults.ts';
import type { LedgerEntry } from './ledger.ts';
import { type Outcome, performOperation } from './perform-operation.ts';
import { type Admission, admit } from './rate-limit.ts';
import { emptyReply, errorReply } from './replies.ts';
import type { ServiceState } from './service-state.ts';

/** Logged, given its fault, and counted with its headers; executed when its body has arrived; then answered. */
export async function handleCall(state: ServiceState, req: IncomingMessage, res: ServerResponse) {
  const head = readHead(req, state.basePath);
  const entry = entryOf(head, state.clock());
  state.ledger.push(entry);
  state.feed.emit({ kind: 'call', entry });
  const { method, route } = head;
  const cardId = route.kind === 'operation' ? route.id : undefined;
  const fault = state.faults.take({ operation: entry.operation, method, cardId });
  const admission = admit(state, head, fault);
  entry.remaining = admission.rate?.remaining;

  const body = await readBody(req);
  if (body !== 'too-large') entry.requestBody = body.json ?? (body.text || undefined);
  const outcome = carriesOut(fault)
    ? outcomeOf(state, head, body, admission)
    : { reply: emptyReply(503), executed: false };
  entry.executed = outcome.executed;
  entry.createdCardId = outcome.createdCardId;

  const { reply } = outcome;
  const withHeaders = { ...reply, headers: { ...admission.headers, ...reply.headers } };
  const answered = answerCall(res, withHeaders, fault, entry, state.closing);
  await answered.finally(() => state.feed.emit({ kind: 'answer', entry, reply: withHeaders }));
}

function entryOf(head: CallHead, at: Date): LedgerEntry {
  const { method, path, query, key, route } = head;
  return {
    at,
    method,
    path,
    query,
    operation: route.kind === 'operation' ? route.operation : undefined,
    keyEnding: key?.slice(-4),
    keyFingerprint: key === undefined ? undefined : fingerprintOfKey(key),
    status: undefined,
    executed: false,
  };
}

/** Faults that replace executing the call; the others come after it. */
function carriesOut(fault: Fault | undefined): boolean {
  switch (fault?.kind) {
    case 'reset-before-executing':
      return false;
    case 'hang':
    case 'status':
      return fault.executed ?? false;
    default:
      return true;
  }
}

function outcomeOf(
  state: ServiceState,
  head: CallHead,
  body: CallBody | 'too-large',
  admission: Admission,
): Outcome {
  if (admission.refusal) return { reply: admission.refusal, executed: false };
  if (body === 'too-large') {
    return { reply: errorReply(413, 'The body is too large.'), executed: false };
  }
  return performOperation(state, { ...head, body }, admission);
}
