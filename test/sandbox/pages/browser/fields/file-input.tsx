import { useRef, useState } from 'react';
import { asText, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { type FieldOf, useOpenView } from './open-view.tsx';

/** Uploads what is chosen at once, as Slack does, and lists it, each file with a button that removes it. */
export function FileInput({ field }: { field: FieldOf }) {
  const { id, element, value, label } = field;
  const { fill, attach } = useOpenView();
  const [uploading, setUploading] = useState<File[]>([]);
  const [problem, setProblem] = useState('');
  const chosen = objectsOf(value?.files);
  const ids = chosen.map((file) => asText(file.id));
  const held = useRef(ids);
  held.current = ids;

  async function choose(files: File[]) {
    setProblem('');
    setUploading((all) => [...all, ...files]);
    const before = () => held.current;
    await attach(field, files, before).catch((error: Error) => setProblem(error.message));
    setUploading((all) => all.filter((file) => !files.includes(file)));
  }

  return (
    <div className="stack file-input">
      <input
        id={id}
        type="file"
        multiple={element.max_files !== 1}
        aria-describedby={field.describedBy}
        aria-invalid={field.invalid}
        required={field.required}
        onChange={({ target }) => {
          void choose([...(target.files ?? [])]);
          // So that the same file can be chosen again after it was removed.
          target.value = '';
        }}
      />
      {chosen.length > 0 ? (
        <ul className="stack chosen-files" aria-label={`${label}: uploaded`}>
          {chosen.map((file) => (
            <li key={asText(file.id)} className="row">
              {asText(file.name)}
              <button
                type="button"
                className="link-button"
                aria-label={`Remove ${file.name}`}
                onClick={() => {
                  const others = ids.filter((one) => one !== file.id);
                  void fill(
                    field,
                    others.map((one) => ({ id: one })),
                  );
                }}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="hint" role="status">
        {uploading.length > 0
          ? `Uploading ${uploading.map(({ name }) => name).join(', ')}…`
          : problem}
      </p>
    </div>
  );
}
