import type { Config } from '../config/config.ts';
import { createDesignApi, type DesignApi } from '../service/client.ts';
import { DesignApiError } from '../service/errors.ts';
import { readRateLimit } from '../service/http/rate-limit.ts';

/** What a test of an API key found: how much the service offers, or why it refused. */
export type ServiceProbe =
  | {
      usable: true;
      requestTypes: number;
      brands: number;
      /** Calls per minute that the service allows this key, if it says so. */
      limit: number | undefined;
      api: DesignApi;
    }
  | { usable: false; isKeyRefused: boolean; problem: string };

/** Tests a key with two calls: the request types, which every form needs, and the brands. */
export async function probeService(
  service: Pick<Config['designApi'], 'baseUrl' | 'timezone'>,
  apiKey: string,
): Promise<ServiceProbe> {
  let limit: number | undefined;
  try {
    const api = createDesignApi({
      ...service,
      apiKey,
      gate: async (_call, make) => {
        const result = await make();
        if (result.kind === 'answer')
          limit = readRateLimit(result.headers, new Date()).limit ?? limit;
        return result;
      },
    });
    const requestTypes = (await api.listRequestTypes()).length;
    const brands = (await api.listBrands()).length;
    return { usable: true, requestTypes, brands, limit, api };
  } catch (error) {
    if (!(error instanceof DesignApiError)) throw error;
    return { usable: false, ...explain(error) };
  }
}

function explain({ code, status, misdirection, cause }: DesignApiError): {
  isKeyRefused: boolean;
  problem: string;
} {
  if (misdirection) {
    const problem = `What answers at this URL is not the design service: ${misdirection}.`;
    return { isKeyRefused: false, problem };
  }
  switch (code) {
    case 'unauthorized':
      return { isKeyRefused: true, problem: 'The service refused the API key.' };
    case 'forbidden':
      return { isKeyRefused: true, problem: 'The API key may not read request types or brands.' };
    case 'rate_limited':
      return {
        isKeyRefused: false,
        problem: 'The service has no calls left for this key. Try again in a minute.',
      };
    case 'unreadable_answer':
      return {
        isKeyRefused: false,
        problem: 'What answers at this URL is not the design service.',
      };
    default: {
      const why = cause ?? (status ? `HTTP ${status}` : code);
      return { isKeyRefused: false, problem: `The service can't be reached (${String(why)}).` };
    }
  }
}

/** For example “6 request types, 300 brands”. */
export const offerOf = (probe: { requestTypes: number; brands: number }): string =>
  `${counted(probe.requestTypes, 'request type')}, ${counted(probe.brands, 'brand')}`;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
