import type { WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';

export function SuggestionList(props: {
  id: string;
  suggestions: Suggestion[];
  active: number;
  onTake: (suggestion: Suggestion) => void;
}) {
  const { id, suggestions, active, onTake } = props;
  return (
    <div className="suggestions" role="listbox" id={id} aria-label="Commands">
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.command}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="suggestion"
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(suggestion);
          }}
        >
          <span>
            <strong>{suggestion.command}</strong> {suggestion.usageHint}
          </span>
          <small>{suggestion.description}</small>
          <span className="suggestion-by">{suggestion.by}</span>
        </div>
      ))}
    </div>
  );
}

export type Suggestion = ReturnType<typeof suggestionsFor>[number];

/** Slack's own command that this Slack supports. */
const BUILT_IN = {
  command: '/invite',
  description: 'Adds the app to this conversation',
  usageHint: '',
  by: 'Slack',
};

/** Suggestions for text that starts like a command; for a complete command, its usage. */
export function suggestionsFor(text: string, { commands, appName }: WorkspaceSnapshot) {
  if (!text.startsWith('/') || text.includes('\n')) return [];
  const [typed = '', ...rest] = text.split(' ');
  const all = [...commands.map((command) => ({ ...command, by: appName })), BUILT_IN];
  return rest.length > 0
    ? all.filter(({ command, usageHint }) => command === typed && usageHint !== '')
    : all.filter(({ command }) => command.startsWith(typed));
}
