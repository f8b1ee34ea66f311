import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ConversationShown } from '../../snapshots/workspace-snapshot.ts';
import { Alert } from '../shell/alert.tsx';
import { onCompose } from '../shell/compose.ts';
import { MAIN_INPUT } from '../shell/frame.tsx';
import { Icon } from '../shell/icon.tsx';
import { Attachment } from './attachment.tsx';
import { ShortcutMenu } from './shortcut-menu.tsx';
import { useSlack } from './slack-context.ts';
import { type Suggestion, SuggestionList, suggestionsFor } from './suggestion-list.tsx';

const ADDRESS = /https?:\/\/[^\s<>|"]+/g;
/** Slack asks the app after a pause this long, in ms. */
const PAUSE_MS = 300;

function ComposerPreviews({ channelId, text }: { channelId: string; text: string }) {
  const { snapshot, act } = useSlack();
  const [unfurlId, setUnfurlId] = useState<string>();
  const addresses = (text.match(ADDRESS) ?? []).join(' ');

  useEffect(() => {
    setUnfurlId(undefined);
    if (addresses === '') return undefined;
    let still = true;
    const ask = async () => {
      const result = await act({ do: 'compose', channelId, text: addresses });
      if (still) setUnfurlId(result.unfurlId);
    };
    const timer = setTimeout(() => void ask().catch(() => undefined), PAUSE_MS);
    return () => {
      still = false;
      clearTimeout(timer);
    };
  }, [act, channelId, addresses]);

  const preview = snapshot.previews.find((one) => one.unfurlId === unfurlId);
  if (!preview?.attachments.length) return null;
  return (
    <div className="stack previews">
      {preview.attachments.map((attachment) => (
        <Attachment key={String(attachment.id)} attachment={attachment} />
      ))}
    </div>
  );
}

type Props = {
  conversation: ConversationShown;
  threadTs?: string;
  /** Shows a message from Slackbot. */
  say?: (notice: string) => void;
};

const LIST_ID = 'composer-suggestions';

export function Composer({ conversation, threadTs, say }: Props) {
  const { snapshot, act } = useSlack();
  const { id: channelId, name, kind, readOnly } = conversation;
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  const where = kind === 'im' ? name : `#${name}`;
  const label = threadTs ? 'Reply…' : `Message ${where}`;
  const [offered] = snapshot.commands;
  const hint = threadTs || !offered ? label : `Type ${offered.command}, or paste a card link`;
  const suggestions = threadTs || dismissed ? [] : suggestionsFor(text, snapshot);

  const at = Math.min(active, suggestions.length - 1);
  const chosen = suggestions[at];
  /** The command is complete, and the list only shows its usage. */
  const isTyped = chosen !== undefined && text.startsWith(`${chosen.command} `);

  // Whoever comes here wants to type, unless a modal is open.
  useEffect(() => {
    if (!document.querySelector('dialog[open]')) box.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (threadTs) return undefined;
    return onCompose((given) => {
      setText(given);
      setDismissed(true);
      box.current?.focus();
    });
  }, [threadTs]);

  useEffect(() => {
    if (!box.current) return;
    box.current.style.blockSize = 'auto';
    if (text) box.current.style.blockSize = `${box.current.scrollHeight}px`;
  }, [text]);

  function changed(next: string) {
    setText(next);
    setActive(0);
    setDismissed(false);
    setProblem(undefined);
  }

  function take({ command, usageHint }: Suggestion) {
    changed(`${command} `);
    if (!usageHint) setDismissed(true);
    box.current?.focus();
  }

  async function sendIt() {
    const typed = text.trim();
    if (typed === '') return;
    changed('');
    try {
      await sendTyped(typed);
    } catch (error) {
      setText(typed);
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }

  async function sendTyped(typed: string) {
    if (!typed.startsWith('/') || threadTs) {
      await act({ do: 'post', channelId, text: typed, ...(threadTs ? { threadTs } : {}) });
      return;
    }
    const [command = ''] = typed.split(/\s+/);
    if (command === '/invite') {
      await act({ do: 'invite-app', channelId });
      say?.(`${snapshot.appName} was added to ${where}.`);
      return;
    }
    if (!snapshot.commands.some((known) => known.command === command)) {
      say?.(`${command} is not a valid command here.`);
      return;
    }
    const after = typed.slice(command.length).trim();
    const told = { do: 'command', channelId, command, text: after } as const;
    const { commandError } = await act(told, command);
    // Slack's wording.
    if (commandError) say?.(`${command} failed with the error “${commandError}”`);
  }

  /** Keys that the open list of commands handles itself. */
  function steersList({ key }: KeyboardEvent): boolean {
    if (!chosen) return false;
    if (key === 'Escape') setDismissed(true);
    else if (isTyped) return false;
    else if (key === 'ArrowDown') setActive((at + 1) % suggestions.length);
    else if (key === 'ArrowUp') setActive((at + suggestions.length - 1) % suggestions.length);
    else if (key === 'Tab' || (key === 'Enter' && text !== chosen.command)) take(chosen);
    else return false;
    return true;
  }

  function onKeyDown(event: KeyboardEvent) {
    const sends = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    const steers = steersList(event);
    if (steers || sends) event.preventDefault();
    if (sends && !steers) void sendIt();
  }

  return (
    <div className="composer-around">
      {suggestions.length > 0 ? (
        <SuggestionList id={LIST_ID} suggestions={suggestions} active={at} onTake={take} />
      ) : null}
      <div className="composer">
        <ComposerPreviews channelId={channelId} text={text} />
        <div className="row composer-line">
          <textarea
            ref={box}
            id={threadTs ? undefined : MAIN_INPUT}
            rows={1}
            value={text}
            disabled={readOnly}
            placeholder={readOnly ? 'Nobody can post here' : hint}
            aria-label={label}
            aria-autocomplete="list"
            aria-controls={suggestions.length > 0 ? LIST_ID : undefined}
            aria-activedescendant={chosen ? `${LIST_ID}-${at}` : undefined}
            onChange={({ target }) => changed(target.value)}
            onKeyDown={onKeyDown}
          />
          {threadTs ? null : (
            <ShortcutMenu
              label="Shortcuts"
              icon="bolt"
              shortcuts={snapshot.shortcuts.filter(({ type }) => type === 'global')}
              onChoose={(name) => act({ do: 'global-shortcut', name }, name)}
            />
          )}
          <button
            type="button"
            className="send-button"
            aria-label="Send"
            disabled={text.trim() === ''}
            onClick={() => void sendIt()}
          >
            <Icon name="send" />
          </button>
        </div>
      </div>
      <Alert className="problem">{problem}</Alert>
    </div>
  );
}
