import type { Suggestion } from './suggestions.ts';

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
          <span className="suggestion-command">
            <strong>{suggestion.command}</strong> {suggestion.usageHint}
          </span>
          <small>{suggestion.description}</small>
          <span className="suggestion-by">{suggestion.by}</span>
        </div>
      ))}
    </div>
  );
}
