import { Icon, type IconName } from '../shell/icon.tsx';
import { MenuButton } from '../shell/menu-button.tsx';
import { useSlack } from './slack-context.tsx';

type Props = {
  label: string;
  icon: IconName;
  shortcuts: { name: string }[];
  onChoose(name: string): Promise<unknown>;
};

/** A button with a menu of the app's shortcuts. */
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
