import { usePress } from '../blocks/surface.tsx';
import type { ActionShown } from './entity-shown.ts';

/** The buttons of a Work Object; the second list is behind “More actions”. */
export function Actions({ primary, more = [] }: { primary: ActionShown[]; more?: ActionShown[] }) {
  const { press, pending, problem } = usePress();
  const button = ({ id, text, label, url }: ActionShown) => (
    <button
      key={id}
      type="button"
      className="button"
      aria-label={label}
      disabled={pending}
      onClick={() =>
        press({ blockId: 'actions', actionId: id, name: text, ...(url ? { url } : {}) })
      }
    >
      {text}
    </button>
  );
  return (
    <div className="work-object-actions">
      {primary.map(button)}
      {more.length > 0 ? (
        <details className="more-actions">
          <summary>More actions</summary>
          <div>{more.map(button)}</div>
        </details>
      ) : null}
      {problem ? <p role="alert">{problem}</p> : null}
    </div>
  );
}
