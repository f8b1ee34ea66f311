import type { ReactNode } from 'react';
import type { FrameShown } from '../../protocol/frame.ts';
import icon from '../icon.svg';
import { send } from '../live/send.ts';

const PAGES = [
  { page: 'workspace', path: '/', name: 'Workspace' },
  { page: 'dashboard', path: '/dashboard', name: 'Dashboard' },
  { page: 'log', path: '/log', name: 'Log' },
] as const;

type Props = {
  page: (typeof PAGES)[number]['page'];
  live: { frame: FrameShown | undefined; connected: boolean; state: unknown };
  children: ReactNode;
};

/** The frame of every page: links to the others, and the app's state. */
export function Frame({ page, live, children }: Props) {
  const { frame, connected, state } = live;
  return (
    <div className="shell">
      <header className="shell-bar">
        <span className="shell-name">
          <img src={icon} alt="" width="20" height="20" />
          <span>Design Request sandbox</span>
        </span>
        <nav aria-label="Pages">
          {PAGES.map(({ page: other, path, name }) => (
            <a key={path} href={path} aria-current={other === page ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        {frame ? <AppSwitch {...frame} /> : null}
      </header>
      {state ? children : <p className="shell-note">{connected ? 'Loading…' : ENDED}</p>}
      {state && !connected ? (
        <p className="shell-note shell-ended" role="alert">
          {ENDED}
        </p>
      ) : null}
    </div>
  );
}

const ENDED = 'The sandbox has ended. Start it again with npm run sandbox.';

const STATES: Record<FrameShown['app'], string> = {
  starting: 'The app is starting',
  running: 'The app is running',
  frozen: 'The app is frozen',
};

/** Freezes the app, so that one can watch Slack's three seconds pass. */
function AppSwitch({ app }: FrameShown) {
  const frozen = app === 'frozen';
  return (
    <span className="app-switch" data-app={app}>
      <span className="app-state">{STATES[app]}</span>
      {app === 'starting' ? null : (
        <button
          type="button"
          title={frozen ? undefined : 'It stops answering, and Slack gives up after 3 s'}
          onClick={() => void send('app', { do: frozen ? 'resume' : 'freeze' })}
        >
          {frozen ? 'Resume app' : 'Freeze app'}
        </button>
      )}
    </span>
  );
}
