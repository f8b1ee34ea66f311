import type { DesignRequest } from '../../requests/request.ts';
import type { CardLinks } from '../../service/card-links.ts';

/**
 * The URL of a request's card. Undefined if the service returned no ID, or one that can't be part
 * of a URL.
 */
export function cardUrlOf({ urlOf }: CardLinks, { cardId }: DesignRequest): string | undefined {
  try {
    return cardId === undefined ? undefined : urlOf(cardId);
  } catch {
    return undefined;
  }
}
