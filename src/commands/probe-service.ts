import type { Config } from '../config/config.ts';
import { createDesignApi, type DesignApi } from '../service/client.ts';
import { DesignApiError } from '../service/errors.ts';
import { misdirectionOf, readJson, readRateLimit } from '../service/http/answer.ts';
import { exchange } from '../service/http/exchange.ts';

/** An operator waits. */
const TIMEOUT_MS = 10_000;

/** Why the service can't be used at an address; undefined if it answers there. */
export async function problemWithAddress(
  baseUrl: string,
): Promise<{ problem: string; fix: string } | undefined> {
  // Without a key: the service answers 401, which is enough here, and counts it for nobody.
  const answer = await exchange({
    method: 'GET',
    url: new URL(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/card-types`),
    headers: {},
    connectTimeoutMs: TIMEOUT_MS,
    totalTimeoutMs: TIMEOUT_MS,
    maySend: () => true,
  });
  if (answer.kind === 'fault' || answer.status >= 500) {
    const why = answer.kind === 'fault' ? answer.reason : `HTTP ${answer.status}`;
    return {
      problem: `The design service can't be reached at ${baseUrl} (${why}).`,
      fix: "Check DESIGN_API_BASE_URL, and this machine's network, DNS, and firewall.",
    };
  }
  const json = readJson(answer.body ?? '', (text) => text);
  const seen = misdirectionOf({ ...answer, json, exists: true });
  return seen === undefined
    ? undefined
    : {
        problem: `What answers at ${baseUrl} is not the design service: ${seen}.`,
        fix: 'Set DESIGN_API_BASE_URL to the address of its API, as in its documentation, with the path and without a redirect.',
      };
}

export type ServiceProbe =
  | {
      usable: true;
      requestTypes: number;
      brands: number;
      /** Calls per minute that the service allows this key, if it says so. */
      limit: number | undefined;
      api: DesignApi;
    }
  | { usable: false; problem: string; isKeyRefused: boolean };

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
    return {
      usable: false,
      problem: problemOf(error),
      isKeyRefused: error.code === 'unauthorized' || error.code === 'forbidden',
    };
  }
}

function problemOf({ code, status, misdirection, cause }: DesignApiError): string {
  // The service always has both lists, and takes no parameters that could be invalid (API reference, section 4).
  if (status === 400 || status === 404) {
    return `The service answers with HTTP ${status}: either the key is wrong, or the address, for example its path.`;
  }
  if (misdirection) return `What answers at this URL is not the design service: ${misdirection}.`;
  switch (code) {
    case 'unauthorized':
      return 'The service refused the API key.';
    case 'forbidden':
      return 'The API key may not read request types or brands.';
    case 'rate_limited':
      return 'The service has no calls left for this key. Try again in a minute.';
    case 'unreadable_answer':
      return 'What answers at this URL is not the design service.';
    default: {
      const why = String(cause ?? (status ? `HTTP ${status}` : code));
      return `The service can't be reached (${why}).`;
    }
  }
}

/** For example “6 request types, 300 brands”. */
export const offerOf = (probe: { requestTypes: number; brands: number }): string =>
  `${counted(probe.requestTypes, 'request type')}, ${counted(probe.brands, 'brand')}`;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
