import { useId, useRef } from 'react';
import type { PersonShown } from '../../snapshots/workspace-snapshot.ts';
import { Avatar } from '../shell/avatar.tsx';
import { useSlack } from './slack-context.ts';

const ROLES: Record<PersonShown['role'], string> = {
  admin: 'workspace admin',
  member: 'member',
  guest: 'guest',
  app: 'app',
};

export function Rail() {
  const { snapshot, go } = useSlack();
  const { workspaces, people, me } = snapshot;
  const menuId = useId();
  const menu = useRef<HTMLElement>(null);
  const myself = people.find(({ id }) => id === me);
  const others = people.filter(({ role }) => role !== 'app');
  const become = (id: string | undefined) => {
    menu.current?.hidePopover();
    go({ as: id, at: undefined, thread: undefined, tab: undefined });
  };
  return (
    <nav className="row rail" aria-label="Workspaces">
      {workspaces.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="rail-workspace"
          title={name}
          aria-label={`Workspace ${name}`}
          aria-current={id === myself?.workspaceId ? 'true' : undefined}
          onClick={() => {
            if (id === myself?.workspaceId) return;
            become(others.find((one) => one.workspaceId === id)?.id);
          }}
        >
          {name[0]}
        </button>
      ))}
      <span className="rail-space" />
      <button
        type="button"
        className="rail-me"
        popoverTarget={menuId}
        aria-label={`You are ${myself?.name}. Switch person`}
        title={`You are ${myself?.name}. Switch person`}
      >
        <Avatar name={myself?.name ?? ''} />
      </button>
      <section
        ref={menu}
        id={menuId}
        popover="auto"
        className="people-menu"
        aria-label="Switch person"
      >
        <h2>Switch person</h2>
        {workspaces.map(({ id, name }) => (
          <div key={id}>
            <h3>{name}</h3>
            {others
              .filter(({ workspaceId }) => workspaceId === id)
              .map((person) => (
                <button
                  key={person.id}
                  type="button"
                  className="row person"
                  aria-current={person.id === me ? 'true' : undefined}
                  onClick={() => become(person.id)}
                >
                  <Avatar name={person.name} />
                  <span>
                    {person.name}
                    <small>{ROLES[person.role]}</small>
                  </span>
                </button>
              ))}
          </div>
        ))}
      </section>
    </nav>
  );
}
