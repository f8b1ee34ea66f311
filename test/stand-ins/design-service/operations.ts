/** The operations of api.md 4, and the task listing of 4.2. */
export type Operation =
  | 'getCard'
  | 'createCard'
  | 'listRequestTypes'
  | 'listTags'
  | 'listBrands'
  | 'getBrand'
  | 'listTasks';

/** What a method and path request; `id` is decoded. */
export type Route =
  | { kind: 'operation'; operation: Operation; id?: string }
  | { kind: 'wrong-method'; allow: string }
  | { kind: 'malformed-id' }
  | { kind: 'unknown-path' };

const OPERATIONS: { operation: Operation; method: string; path: RegExp }[] = [
  { operation: 'getCard', method: 'GET', path: /^\/card\/([^/]+)$/ },
  { operation: 'createCard', method: 'POST', path: /^\/card$/ },
  { operation: 'listRequestTypes', method: 'GET', path: /^\/card-types$/ },
  { operation: 'listTags', method: 'GET', path: /^\/tags$/ },
  { operation: 'listBrands', method: 'GET', path: /^\/brands$/ },
  { operation: 'getBrand', method: 'GET', path: /^\/brands\/([^/]+)$/ },
  { operation: 'listTasks', method: 'GET', path: /^\/tasks$/ },
];

/** Finds the operation of a method and a path relative to the base URL, without its query. */
export function routeOf(method: string, path: string): Route {
  const samePath = OPERATIONS.filter((entry) => entry.path.test(path));
  if (samePath.length === 0) return { kind: 'unknown-path' };
  const entry = samePath.find((candidate) => candidate.method === method);
  if (!entry) return { kind: 'wrong-method', allow: samePath.map((one) => one.method).join(', ') };
  const rawId = entry.path.exec(path)?.[1];
  if (rawId === undefined) return { kind: 'operation', operation: entry.operation };
  try {
    return { kind: 'operation', operation: entry.operation, id: decodeURIComponent(rawId) };
  } catch {
    return { kind: 'malformed-id' };
  }
}
