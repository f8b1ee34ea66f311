import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Setting } from '../setting.ts';
import { type Hit, hitsIn, type KnownSecret } from './known-secrets.ts';

/** Everything in the folder of the database, byte by byte: the file, its log, its locks. */
export async function hitsOnDisk(
  { folder }: Setting,
  secrets: readonly KnownSecret[],
): Promise<Hit[]> {
  const names = await readdir(folder);
  const found = names.map(async (name) =>
    hitsIn(name, await readFile(join(folder, name)), secrets),
  );
  return (await Promise.all(found)).flat();
}

/** Everything that Slack was sent: calls, answers to deliveries, and what is visible there now. */
export function hitsInSlack({ slack }: Setting, secrets: readonly KnownSecret[]): Hit[] {
  const { apiCalls, deliveries, state } = slack;
  const calls = apiCalls.map(({ method, args }) => ({ method, args }));
  const answers = deliveries.flatMap(({ attempts }) => attempts.map(({ body }) => body));
  const messages = [...state.messages.values()].flat().filter(({ botId }) => botId !== undefined);
  const told = [calls, answers, messages, state.ephemerals, [...state.stacks.values()]];
  return hitsIn('Slack', asText(told), secrets);
}

/** The bodies of all calls to the service; the key belongs only in their header. */
export const hitsAtService = ({ service }: Setting, secrets: readonly KnownSecret[]): Hit[] =>
  hitsIn(
    'the service',
    asText(service.ledger.map(({ path, query, requestBody }) => [path, query, requestBody])),
    secrets,
  );

/** JSON without what a person filled in, which only they see on their screen. */
function asText(value: unknown): string {
  return JSON.stringify(value, (key, inner) =>
    key === 'values' ? undefined : inner instanceof Map ? [...inner] : inner,
  );
}
