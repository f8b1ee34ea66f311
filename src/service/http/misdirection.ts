/** Long addresses say no more. */
const MAX_ADDRESS = 200;

/**
 * What an answer shows of a wrong base URL, which leads to a redirect, a login page, or another server.
 *
 * @param answer.location without what could be secret: only scheme, host, and path are repeated
 * @returns for example “HTTP 302, which leads to https://login.example.com/”; undefined if the service may answer so
 */
export function misdirectionOf(answer: {
  status: number;
  location: string | null | undefined;
  contentType: string | null | undefined;
}): string | undefined {
  const { status, location, contentType } = answer;
  if (status >= 300 && status <= 399) {
    const address = location?.split(/[?#]/)[0]?.replace(/\/\/[^/]*@/, '//');
    return address
      ? `HTTP ${status}, which leads to ${address.slice(0, MAX_ADDRESS)}`
      : `HTTP ${status}`;
  }
  const isPage = /^\s*text\/html/i.test(contentType ?? '');
  // Gateways in front of the service have pages for their own errors.
  return isPage && status < 500 ? `HTTP ${status} with a web page` : undefined;
}
