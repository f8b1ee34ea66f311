import type { WorkspaceSnapshot } from '../../protocol/workspace.ts';

/** A command that the composer offers. */
export type Suggestion = { command: string; description: string; usageHint: string; by: string };

/** Slack's own, as far as this Slack has them. */
const BUILT_IN: Suggestion = {
  command: '/invite',
  description: 'Adds the app to this conversation',
  usageHint: '',
  by: 'Slack',
};

/** What is offered for a text that begins like a command; once one is typed, how it is used. */
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
