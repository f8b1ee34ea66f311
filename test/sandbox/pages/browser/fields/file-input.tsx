import { asText, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { type FieldOf, useOpenView } from './open-view.tsx';

/** Of chosen files, the sandbox gets only name, type, and size, not the content. */
export function FileInput({ field }: { field: FieldOf }) {
  const { id, blockId, actionId, element, value } = field;
  const { fill } = useOpenView();
  const chosen = objectsOf(value?.files).map(({ name }) => asText(name));
  const kinds = Array.isArray(element.filetypes) ? element.filetypes : [];
  return (
    <div className="file-input">
      <input
        id={id}
        type="file"
        multiple={element.max_files !== 1}
        accept={kinds.map((kind) => `.${kind}`).join(',') || undefined}
        aria-describedby={field.describedBy}
        aria-invalid={field.invalid}
        onChange={({ target }) =>
          fill(
            blockId,
            actionId,
            [...(target.files ?? [])].map(({ name, type, size }) => ({
              name,
              mimetype: type,
              size,
            })),
          )
        }
      />
      {chosen.length > 0 ? <p className="hint">{chosen.join(', ')}</p> : null}
    </div>
  );
}
