import {
  createDesignApi,
  type DesignApi,
  type DesignApiOptions,
} from '../../src/service/client.ts';
import { DesignApiError } from '../../src/service/errors.ts';
import type { NewCard } from '../../src/service/operations/card.ts';

export const API_KEY = 'dk_live_0123456789abcdef';

export const NEW_CARD: NewCard = {
  title: 'Spring banner',
  description: '<p>A banner</p>',
  typeId: 'type-1',
  product: 'Graphics',
  dimension: '1200x600',
  software: 'Figma',
  fileFormats: 'PNG',
};

/** A client with almost no delay between retries. */
export function clientOf(baseUrl: string, options: Partial<DesignApiOptions> = {}): DesignApi {
  return createDesignApi({
    baseUrl,
    apiKey: API_KEY,
    timezone: 'UTC',
    gate: (_call, make) => make(),
    ...options,
    timeouts: { retryBase: 5, ...options.timeouts },
  });
}

/** The error that an operation rejects with; fails if it succeeds or rejects with anything else. */
export async function failureOf(operation: Promise<unknown>): Promise<DesignApiError> {
  const outcome = await operation.then(
    () => 'fulfilled',
    (error: unknown) => error,
  );
  if (outcome instanceof DesignApiError) return outcome;
  throw new Error('The operation did not reject with a DesignApiError.', { cause: outcome });
}
