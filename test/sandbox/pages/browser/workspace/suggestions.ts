import type { WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';

/** A command that the composer suggests. */
export type Suggestion = { command: string; description: string; usageHint: string; by: string };

/** Slack's own commands that this Slack supports. */
const BUILT_IN: Suggestion = {
  command: '/invite',
  description: 'Adds the app to this conversation',
  usageHint: '',
  by: 'Slack',
};

/** Suggestions for text that starts like a command; for a complete command, its usage. */
export function suggestionsFor(
  text: string,
  { commands, appName }: Pick<WorkspaceSnapshot, 'commands' | 'appName'>,
): Suggestion[] {
  if (!text.startsWith('/') || text.includes('\n')) return [];
  const [typed = '', ...rest] = text.split(' ');
  const all = [...commands.map((command) => ({ ...command, by: appName })), BUILT_IN];
  return rest.length > 0
    ? all.filter(({ command, usageHint }) => command === typed && usageHint !== '')
    : all.filter(({ command }) => command.startsWith(typed));
}
