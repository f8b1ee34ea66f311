import { type ReactNode, useEffect } from 'react';
import type { FrameShown } from '../../frame.ts';
import icon from '../icon.svg';
import { send } from '../live/use-live.ts';
import { TryThis } from './try-this.tsx';

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

export function Frame({ page, live, children }: Props) {
  const { frame, connected, state } = live;
  // The page comes first for keyboards and screen readers, and the bar is drawn above it.
  return (
    <div className="shell">
      <SkipLink />
      <div className="shell-page" id={MAIN} tabIndex={-1}>
        {state ? children : <p className="shell-note">{connected ? 'Loading…' : ENDED}</p>}
      </div>
      <header className="row shell-bar">
        <span className="row shell-name">
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
      <div className="shell-top">
        {frame?.app === 'frozen' ? (
          <p className="frozen-note" role="status">
            <strong>Frozen:</strong> the app answers nothing. Slack waits three seconds, then tells
            people that it failed. Press Resume app: what was stored goes on, and Slack delivers its
            events again.
          </p>
        ) : null}
        {frame ? <TryThis tour={frame.tour} canType={page === 'workspace'} /> : null}
      </div>
      {state && !connected ? (
        <p className="shell-note shell-ended" role="alert">
          {ENDED}
        </p>
      ) : null}
    </div>
  );
}

/** The IDs of what people come for. */
export const MAIN_INPUT = 'message-box';
const MAIN = 'page';

/** To the message box, where there is one. */
function SkipLink() {
  return (
    <a
      className="skip-link"
      href={`#${MAIN}`}
      onClick={(event) => {
        event.preventDefault();
        (document.getElementById(MAIN_INPUT) ?? document.getElementById(MAIN))?.focus();
      }}
    >
      Skip to main content
    </a>
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
    <span className="row app-switch" data-app={app}>
      <span className="app-state">{STATES[app]}</span>
      {app === 'starting' ? null : (
        <button
          type="button"
          title={frozen ? undefined : 'Stops the app for as long as you like. Nothing is lost.'}
          onClick={() => void send('app', { do: frozen ? 'resume' : 'freeze' })}
        >
          {frozen ? 'Resume app' : 'Freeze app'}
        </button>
      )}
    </span>
  );
}

/** When the component goes away with the focus in it, the message box gets it, so that people can type on. */
export function useFocusBack(): void {
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body;
      if (isLost) document.getElementById(MAIN_INPUT)?.focus();
    },
    [],
  );
}
