import { useId, useRef } from 'react';
import { Avatar } from '../shell/avatar.tsx';
import { roleOf, useSlack } from './slack-context.ts';

export function Rail() {
  const { snapshot, go } = useSlack();
  const { workspaces, people, me } = snapshot;
  const menuId = useId();
  const menu = useRef<HTMLElement>(null);
  const myself = people.find(({ id }) => id === me);
  const others = people.filter(({ isBot }) => !isBot);
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
          aria-current={id === myself?.teamId ? 'true' : undefined}
          onClick={() => {
            if (id === myself?.teamId) return;
            become(others.find((one) => one.teamId === id)?.id);
          }}
        >
          {name[0]}
        </button>
      ))}
      <span className="rail-space" />
      <button
        type="button"
        popoverTarget={menuId}
        aria-label={`You are ${myself?.realName}. Switch person`}
        title={`You are ${myself?.realName}. Switch person`}
      >
        <Avatar name={myself?.realName ?? ''} />
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
              .filter(({ teamId }) => teamId === id)
              .map((person) => (
                <button
                  key={person.id}
                  type="button"
                  className="row person"
                  aria-current={person.id === me ? 'true' : undefined}
                  onClick={() => become(person.id)}
                >
                  <Avatar name={person.realName} />
                  <span>
                    {person.realName}
                    <small>{roleOf(person)}</small>
                  </span>
                </button>
              ))}
          </div>
        ))}
      </section>
    </nav>
  );
}
