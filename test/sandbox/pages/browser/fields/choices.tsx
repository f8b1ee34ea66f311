import { asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { TextObject } from '../blocks/text-object.tsx';
import { type FieldOf, useOpenView, useValue } from './open-view.tsx';

const idOf = (option: JsonObject) => asText(option.value);

export function Checkboxes({ field }: { field: FieldOf }) {
  const { id, element, value, describedBy } = field;
  const { fill } = useOpenView();
  const held = objectsOf(value?.selected_options).map(idOf);
  const [chosen, choose] = useValue(held, (values) =>
    fill(
      field,
      values.map((one) => ({ value: one })),
    ),
  );
  return (
    <div role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {objectsOf(element.options).map((option) => (
        <label key={idOf(option)} className="row choice">
          <input
            type="checkbox"
            name={id}
            checked={chosen.includes(idOf(option))}
            onChange={() => {
              const others = chosen.filter((one) => one !== idOf(option));
              choose(others.length < chosen.length ? others : [...chosen, idOf(option)]);
            }}
          />
          <span>
            <TextObject value={option.text} />
            <small>
              <TextObject value={option.description} />
            </small>
          </span>
        </label>
      ))}
    </div>
  );
}
