import type { FetchFunction } from '@slack/web-api';
import { fetch } from 'undici';

/**
 * How Slack is called: with the undici that Bolt brings along. Node's own `fetch` is a second copy of
 * it, which the first call would have to read.
 *
 * @throws TypeError for an upload of files, which this app never makes
 */
export const slackFetch: FetchFunction = (url, { body, ...init } = {}) => {
  if (typeof body === 'object') throw new TypeError('Files are not uploaded.');
  return fetch(url, { ...init, body });
};
