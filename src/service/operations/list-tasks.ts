import type { Resource } from '../http/call.ts';
import { isObject, type JsonObject, readId, readText } from './loose-values.ts';

/** The task listing, as far as it could be read (API reference, 4.2). A task that isn't listed may still exist. */
type TaskListing = { items: ReturnType<typeof readTask>[] };

export type TaskQuery = { projectId?: string; perPage?: number };

/** Where to look for the list, in the body or in its `data`. */
const LIST_KEYS = ['items', 'tasks', 'cards', 'data', 'results'] as const;

export const taskListing = ({ projectId, perPage }: TaskQuery): Resource<TaskListing> => ({
  operation: 'listTasks',
  path: ['tasks'],
  query: { projectId, perPage: perPage?.toString() },
  parse(body) {
    const list = findList(body);
    return list && { items: list.filter(isObject).map(readTask) };
  },
});

/** Its format isn't documented: the first array in the body, in its `data`, or under a plausible name in either. */
function findList(body: unknown): unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return undefined;
  return listUnder(body, ['data']) ?? listUnder(body.data, LIST_KEYS) ?? listUnder(body, LIST_KEYS);
}

function listUnder(holder: unknown, keys: readonly string[]): unknown[] | undefined {
  if (!isObject(holder)) return undefined;
  return keys.map((key) => holder[key]).find((value) => Array.isArray(value));
}

const readTask = (task: JsonObject) => ({
  id: readId(task.id) ?? readId(task._id),
  title: readText(task.title) ?? readText(task.name),
  descriptionHtml: readText(task.description),
});
