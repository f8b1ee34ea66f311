import type { AppProcess } from '../start-app-process.ts';
import type { AppState } from './protocol/frame.ts';

/** The app's processes as the pages may handle them. */
export type AppControl = {
  attach(app: AppProcess): void;
  state(): AppState;
  /** An app that hangs: it answers nothing, and Slack's three seconds pass. */
  freeze(): void;
  resume(): void;
};

export function createAppControl(changed: () => void): AppControl {
  const apps: AppProcess[] = [];
  let frozen = false;
  return {
    attach(app) {
      apps.push(app);
      if (frozen) app.freeze();
      changed();
    },
    state: () => (apps.length === 0 ? 'starting' : frozen ? 'frozen' : 'running'),
    freeze() {
      frozen = true;
      for (const app of apps) app.freeze();
    },
    resume() {
      frozen = false;
      for (const app of apps) app.resume();
    },
  };
}
