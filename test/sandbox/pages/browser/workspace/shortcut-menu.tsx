import { Icon, IconButton, type IconName } from '../shell/icon.tsx';
import { MenuButton } from '../shell/menu-button.tsx';
import type { MessageProps } from './message.tsx';
import { useSlack } from './slack-context.ts';

type Props = {
  label: string;
  icon: IconName;
  shortcuts: { name: string }[];
  onChoose(name: string): Promise<unknown>;
};

export function ShortcutMenu({ label, icon, shortcuts, onChoose }: Props) {
  const { appName: note } = useSlack().snapshot;
  if (shortcuts.length === 0) return null;
  const items = shortcuts.map(({ name }) => ({ id: name, text: name, note }));
  const choose = (name: string) => void onChoose(name).catch(() => undefined);
  return (
    <MenuButton label={label} className="icon-button" items={items} onChoose={choose}>
      <Icon name={icon} />
    </MenuButton>
  );
}

/** What can be done with any message. */
export function MessageTools(props: MessageProps & { edit: () => void }) {
  const { channelId, message, openThread, edit } = props;
  const { snapshot, act } = useSlack();
  const { ts, userId } = message;
  const isMine = userId === snapshot.me;
  const shortcuts = snapshot.shortcuts.filter(({ type }) => type === 'message');
  if (!isMine && !openThread && shortcuts.length === 0) return null;
  return (
    <div className="message-tools">
      {openThread ? (
        <IconButton
          icon="reply"
          label="Reply in thread"
          title="Reply in thread"
          onClick={() => openThread(ts)}
        />
      ) : null}
      {isMine ? (
        <>
          <IconButton icon="pencil" label="Edit message" title="Edit message" onClick={edit} />
          <IconButton
            icon="trash"
            label="Delete message"
            title="Delete message"
            onClick={() => act({ do: 'remove', channelId, ts })}
          />
        </>
      ) : null}
      <ShortcutMenu
        label="More actions"
        icon="more"
        shortcuts={shortcuts}
        onChoose={(name) => act({ do: 'message-shortcut', channelId, ts, name }, name)}
      />
    </div>
  );
}
