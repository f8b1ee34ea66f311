import { type ReactNode, useRef } from 'react';
import { asText, isObject, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { Alert } from '../shell/alert.tsx';
import { Button } from '../shell/button.tsx';
import { Icon } from '../shell/icon.tsx';
import { MenuButton } from '../shell/menu-button.tsx';
import { usePress } from './surface.tsx';
import { wordsOf } from './text-object.tsx';

type Props = { blockId: string; element: JsonObject };

/** An element that notifies the app as soon as it is used: a button or a menu. */
export function PressedElement(props: Props) {
  const { type } = props.element;
  if (type === 'button') return <BlockButton {...props} />;
  if (type === 'overflow') return <OverflowMenu {...props} />;
  return <span className="faint">({asText(type)})</span>;
}

function BlockButton({ blockId, element }: Props) {
  const { press, pending, problem } = usePress();
  const dialog = useRef<HTMLDialogElement>(null);
  const { style, confirm, accessibility_label: spoken } = element;
  const name = wordsOf(element.text);
  const go = () =>
    press({ blockId, actionId: asText(element.action_id), url: asText(element.url), name });
  // Not a form: in a modal it is inside the modal's form.
  const close = () => dialog.current?.close();
  return (
    <Pressed problem={problem}>
      <button
        type="button"
        className={`button ${asText(style)}`}
        aria-label={asText(spoken) || undefined}
        aria-busy={pending}
        // A disabled button would lose the focus.
        aria-disabled={pending}
        onClick={() => {
          if (pending) return;
          if (isObject(confirm)) dialog.current?.showModal();
          else void go();
        }}
      >
        {name}
      </button>
      {isObject(confirm) ? (
        <dialog ref={dialog} className="confirm" aria-label={wordsOf(confirm.title)}>
          <h2>{wordsOf(confirm.title)}</h2>
          <p>{wordsOf(confirm.text)}</p>
          <div className="row confirm-choices">
            <Button onClick={close}>{wordsOf(confirm.deny)}</Button>
            <button
              type="button"
              className={`button ${asText(confirm.style) || 'primary'}`}
              onClick={() => {
                close();
                void go();
              }}
            >
              {wordsOf(confirm.confirm)}
            </button>
          </div>
        </dialog>
      ) : null}
    </Pressed>
  );
}

/** The “⋯” menu, which has no text of its own. */
function OverflowMenu({ blockId, element }: Props) {
  const { press, pending, problem } = usePress();
  const items = objectsOf(element.options).map(({ value, text }) => ({
    id: asText(value),
    text: wordsOf(text),
  }));
  const choose = (option: string) =>
    void press({
      blockId,
      actionId: asText(element.action_id),
      option,
      name: items.find(({ id }) => id === option)?.text ?? '',
    });
  return (
    <Pressed problem={problem}>
      <MenuButton
        label="More choices"
        className="button"
        items={items}
        onChoose={choose}
        isBusy={pending}
      >
        <Icon name="more" />
      </MenuButton>
    </Pressed>
  );
}

function Pressed({ problem, children }: { problem: string | undefined; children: ReactNode }) {
  return (
    <span>
      {children}
      <Alert className="problem">{problem}</Alert>
    </span>
  );
}
