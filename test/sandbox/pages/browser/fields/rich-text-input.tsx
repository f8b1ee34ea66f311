import { useEffect, useRef, useState } from 'react';
import { asObject, objectsOf, parseJson } from '../../../../stand-ins/slack/json.ts';
import { Icon } from '../shell/icon.tsx';
import { Parts } from '../text/mrkdwn-text.tsx';
import { type FieldOf, placeholderOf, useOpenView } from './open-view.tsx';
import { richTextFromDom } from './rich-text-dom.ts';

const TOOLS = [
  { name: 'Bold', command: 'bold', icon: 'bold' as const },
  { name: 'Italic', command: 'italic', icon: 'italic' as const },
  { name: 'Strikethrough', command: 'strikeThrough', icon: 'strike' as const },
  { name: 'Numbered list', command: 'insertOrderedList', icon: 'numbers' as const },
  { name: 'Bulleted list', command: 'insertUnorderedList', icon: 'bullets' as const },
  { name: 'Quote', command: 'formatBlock', argument: 'blockquote', icon: 'quote' as const },
];

/** An editor for formatted text, which produces a rich_text block. */
export function RichTextInput({ field }: { field: FieldOf }) {
  const { id, element } = field;
  const { fill } = useOpenView();
  const editor = useRef<HTMLDivElement>(null);
  const held = JSON.stringify(field.value?.rich_text_value ?? null);
  const given = useRef(held);
  const unsent = useRef(0);
  /** What the editor began with: it manages its own text, and is drawn again only if somebody else changed it. */
  const [drawn, setDrawn] = useState(held);
  useEffect(() => {
    if (held === given.current || unsent.current > 0) return;
    given.current = held;
    setDrawn(held);
  }, [held]);

  async function give() {
    if (!editor.current) return;
    const block = richTextFromDom(editor.current);
    given.current = JSON.stringify(block);
    unsent.current += 1;
    await fill(field, block);
    unsent.current -= 1;
  }

  function use(command: string, argument?: string) {
    editor.current?.focus();
    // Deprecated, but still the only command that every browser's editor supports and can undo.
    document.execCommand(command, false, argument);
  }

  return (
    <div className="rich-text-input input">
      <div className="row tools" role="toolbar" aria-label={`Format ${field.label}`}>
        {TOOLS.map(({ name, command, argument, icon }) => (
          <button
            key={name}
            type="button"
            className="tool"
            aria-label={name}
            title={name}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => use(command, argument)}
          >
            <Icon name={icon} />
          </button>
        ))}
      </div>
      <div
        key={drawn}
        ref={editor}
        id={id}
        className="editor"
        role="textbox"
        tabIndex={0}
        contentEditable
        suppressContentEditableWarning
        aria-multiline="true"
        aria-labelledby={`${id}-label`}
        aria-describedby={field.describedBy}
        aria-invalid={field.invalid}
        aria-required={field.required}
        data-placeholder={placeholderOf(element) || 'Write something…'}
        onInput={give}
        onPaste={(event) => {
          // Pasted as plain text, without formatting from other pages.
          event.preventDefault();
          document.execCommand('insertText', false, event.clipboardData.getData('text/plain'));
        }}
      >
        <Parts parts={objectsOf(asObject(parseJson(drawn)).elements)} section="p" />
      </div>
    </div>
  );
}
