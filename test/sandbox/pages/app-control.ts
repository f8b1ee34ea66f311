import type { AppProcess } from '../start-app-process.ts';
import type { AppState } from './protocol/frame.ts';

export type AppControl = ReturnType<typeof createAppControl>;

export function createAppControl(changed: () => void) {
  let app: AppProcess | undefined;
  let frozen = false;
  return {
    attach(started: AppProcess) {
      app = started;
      if (frozen) app.freeze();
      changed();
    },
    state: (): AppState => (!app ? 'starting' : frozen ? 'frozen' : 'running'),
    /** Makes the app hang: it answers nothing, and Slack's three seconds pass. */
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
