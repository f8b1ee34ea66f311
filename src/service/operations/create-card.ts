import { DesignApiError, type DesignApiErrorCode } from '../errors.ts';
import { answerFailure, refusalCode } from '../http/answer-failure.ts';
import { type Connection, call } from '../http/connection.ts';
import { parseCreatedCard } from './parse-created-card.ts';
import type { CreatedCard, NewCard } from './schemas.ts';

const OPERATION = 'createCard';

export type CreateOptions = {
  /**
   * Asked when the connection stands, right before the first byte goes out, and must answer at once.
   * Where it says no, nothing is sent: `not_sent`.
   */
  maySend?: (() => boolean) | undefined;
};

/**
 * Creates a card (api.md, 4.1) with one request that is never repeated, since the service has no way to
 * recognise a repetition. Every 2xx means created, whatever its body says.
 * @throws DesignApiError: `not_sent` and `rate_limited` may be sent again, `outcome_unknown` must not be
 * without looking; every other code is a definite refusal
 */
export async function createCard(
  connection: Connection,
  card: NewCard,
  { maySend }: CreateOptions = {},
): Promise<CreatedCard> {
  const result = await call(connection, {
    operation: OPERATION,
    method: 'POST',
    path: ['card'],
    body: bodyOf(card),
    maySend,
  });
  if (result.kind === 'fault') {
    throw new DesignApiError({
      code: result.sent ? 'outcome_unknown' : 'not_sent',
      operation: OPERATION,
      message: result.sent
        ? `${OPERATION}: no answer came, so the card may or may not exist`
        : `${OPERATION}: the design service could not be reached, and nothing was sent`,
      cause: result.reason,
    });
  }
  if (result.status >= 200 && result.status <= 299) return parseCreatedCard(result.json);
  throw answerFailure(
    creationFailure(result.status),
    { ...result, operation: OPERATION },
    connection,
  );
}

/** api.md advises to retry 5xx, but a server that failed may have created the card before. */
function creationFailure(status: number): DesignApiErrorCode {
  const definite = status >= 400 && status <= 499 && status !== 408;
  return definite ? refusalCode(status) : 'outcome_unknown';
}

function bodyOf(card: NewCard): string {
  try {
    return JSON.stringify({ data: card });
  } catch {
    throw new DesignApiError({
      code: 'invalid_request',
      operation: OPERATION,
      message: `${OPERATION}: the card holds something that JSON cannot express`,
    });
  }
}
