const WEB_ADDRESS = /^https?:/;

/**
 * An answer with the caller's API key in every text, as from a service that echoes what it was sent.
 *
 * @param json the answer's body
 */
export function echoing(json: string, key: string): string {
  const withKey = (text: string) => {
    if (!WEB_ADDRESS.test(text)) return `${text} ${key}`;
    const url = new URL(text);
    url.searchParams.set('key', key);
    return url.href;
  };
  return JSON.stringify(
    JSON.parse(json, (_name, value) => (typeof value === 'string' ? withKey(value) : value)),
  );
}
