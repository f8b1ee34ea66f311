import { escapeEntities } from '../escape-entities.ts';
import type { SlackState, WorkspaceRecord } from '../state/state.ts';

const ADDRESS = /https?:\/\/\S+/g;
const PERSON = /(?<!\S)@(\S+)/g;
const CHANNEL = /(?<!\S)#(\S+)/g;

/**
 * What was typed after a command, as the app gets it: `&`, `<`, and `>` are always escaped, and if the manifest says
 * `should_escape`, people, channels, and URLs are marked up too.
 * Sources: docs.slack.dev/messaging/formatting-message-text and …/interactivity/implementing-slash-commands.
 */
export function commandText(
  state: SlackState,
  workspace: WorkspaceRecord,
  { command, typed }: { command: string; typed: string },
): string {
  const text = escapeEntities(typed);
  const offered = state.manifest.slashCommands.find((known) => known.command === command);
  if (!offered?.shouldEscape) return text;
  const people = [...state.users.values()].filter(({ teamId }) => teamId === workspace.id);
  const channels = [...state.channels.values()].filter(({ homeId }) => homeId === workspace.id);
  const marked =
    (sign: string, of: { id: string; name: string }[]) => (found: string, name: string) => {
      const one = of.find((known) => known.name === name);
      return one ? `<${sign}${one.id}|${name}>` : found;
    };
  return text
    .replaceAll(ADDRESS, (address) => `<${address}>`)
    .replaceAll(PERSON, marked('@', people))
    .replaceAll(CHANNEL, marked('#', channels));
}
