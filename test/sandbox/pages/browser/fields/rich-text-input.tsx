import { useCallback, useEffect, useRef } from 'react';
import { Icon } from '../shell/icon.tsx';
import { useSlack } from '../workspace/slack-context.ts';
import { type FieldOf, placeholderOf, useOpenView } from './open-view.tsx';
import { richTextFromDom, richTextToDom } from './rich-text-dom.ts';

/** What is typed is sent after a pause this long, in ms. */
const PAUSE_MS = 150;

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
  const { fill, beforeSending } = useOpenView();
  const { names } = useSlack();
  const editor = useRef<HTMLDivElement>(null);
  const timer = useRef<number>(undefined);
  const held = JSON.stringify(field.value?.rich_text_value ?? null);
  const given = useRef<string>(undefined);

  const give = useCallback(() => {
    if (timer.current === undefined || !editor.current) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    const block = richTextFromDom(editor.current);
    given.current = JSON.stringify(block);
    void fill(field, block && { ...block, type: 'rich_text' });
  }, [fill, field]);

  useEffect(() => beforeSending(give), [beforeSending, give]);
  // The editor manages its own text, so it is written only when the value was changed elsewhere.
  useEffect(() => {
    if (!editor.current || held === given.current || timer.current !== undefined) return;
    given.current = held;
    editor.current.replaceChildren(
      ...(held === 'null' ? [] : richTextToDom(JSON.parse(held), names)),
    );
  }, [held, names]);

  function changed() {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(give, PAUSE_MS);
  }

  function use(command: string, argument?: string) {
    editor.current?.focus();
    // Deprecated, but still the only command that every browser's editor supports and can undo.
    document.execCommand(command, false, argument);
    changed();
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
      {/* The editor manages its own text, so it isn't a controlled input. */}
      <div
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
        onInput={changed}
        onBlur={give}
        onPaste={(event) => {
          // Pasted as plain text, without formatting from other pages.
          event.preventDefault();
          document.execCommand('insertText', false, event.clipboardData.getData('text/plain'));
        }}
      />
    </div>
  );
}
