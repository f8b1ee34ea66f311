import type { AppProcess } from '../start-app-process.ts';
import type { AppState } from './protocol/frame.ts';

export type AppControl = {
  attach(app: AppProcess): void;
  state(): AppState;
  /** Makes the app hang: it answers nothing, and Slack's three seconds pass. */
  freeze(): void;
  resume(): void;
};

export function createAppControl(changed: () => void): AppControl {
  let app: AppProcess | undefined;
  let frozen = false;
  return {
    attach(started) {
      app = started;
      if (frozen) app.freeze();
      changed();
    },
    state: () => (!app ? 'starting' : frozen ? 'frozen' : 'running'),
    freeze() {
      frozen = true;
      app?.freeze();
    },
    resume() {
      frozen = false;
      app?.resume();
    },
  };
}
