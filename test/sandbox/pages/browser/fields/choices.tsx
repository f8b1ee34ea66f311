import { asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { TextObject } from '../blocks/text-object.tsx';
import { type FieldOf, useOpenView } from './open-view.tsx';
import { useChosen } from './use-chosen.ts';

const idOf = (option: JsonObject) => asText(option.value);

export function Checkboxes({ field }: { field: FieldOf }) {
  const { blockId, actionId, element, value } = field;
  const { fill } = useOpenView();
  const held = objectsOf(value?.selected_options).map(idOf);
  const [chosen, choose] = useChosen(held, (values) =>
    fill(
      blockId,
      actionId,
      values.map((one) => ({ value: one })),
    ),
  );
  const toggle = (one: string) =>
    choose(
      objectsOf(element.options)
        .map(idOf)
        .filter((each) => (each === one ? !chosen.includes(each) : chosen.includes(each))),
    );
  return (
    <Group field={field} role="group">
      {(option, name) => (
        <label key={idOf(option)} className="choice">
          <input
            type="checkbox"
            name={name}
            checked={chosen.includes(idOf(option))}
            onChange={() => toggle(idOf(option))}
          />
          <ChoiceWords option={option} />
        </label>
      )}
    </Group>
  );
}

export function RadioButtons({ field }: { field: FieldOf }) {
  const { blockId, actionId, value } = field;
  const { fill } = useOpenView();
  const held = value?.selected_option ? [idOf(value.selected_option)] : [];
  const [[chosen], choose] = useChosen(held, ([one = '']) =>
    fill(blockId, actionId, { value: one }),
  );
  return (
    <Group field={field} role="radiogroup">
      {(option, name) => (
        <label key={idOf(option)} className="choice">
          <input
            type="radio"
            name={name}
            checked={chosen === idOf(option)}
            onChange={() => choose([idOf(option)])}
          />
          <ChoiceWords option={option} />
        </label>
      )}
    </Group>
  );
}

function Group(props: {
  field: FieldOf;
  role: 'group' | 'radiogroup';
  children: (option: JsonObject, name: string) => React.ReactNode;
}) {
  const { field, role, children } = props;
  const { id, element, describedBy } = field;
  const shared = { 'aria-labelledby': `${id}-label`, 'aria-describedby': describedBy };
  const choices = objectsOf(element.options).map((option) => children(option, id));
  return role === 'group' ? (
    <div role="group" {...shared}>
      {choices}
    </div>
  ) : (
    <div role="radiogroup" aria-required={field.required} {...shared}>
      {choices}
    </div>
  );
}

function ChoiceWords({ option }: { option: JsonObject }) {
  return (
    <span>
      <TextObject value={option.text} />
      {option.description === undefined ? null : (
        <small>
          <TextObject value={option.description} />
        </small>
      )}
    </span>
  );
}
