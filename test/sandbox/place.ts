import { installApp } from './install-app.ts';
import { populate } from './pages/populate.ts';
import { type PagesOptions, startPages } from './pages/server.ts';
import type { Stage } from './stage.ts';

/** The stage with people and channels in it, and the pages to explore it. */
export type Place = Awaited<ReturnType<typeof openPlace>>;

export async function openPlace(stage: Stage, options: PagesOptions = {}) {
  const { globex, grace } = populate(stage);
  const pages = await startPages(stage, options);
  return {
    pages,
    /** Installs the app, which listens there, in the second workspace too. */
    openSecondWorkspace: (appUrl: string) =>
      installApp(stage.slack, { appUrl, workspace: globex, admin: grace }),
    close: pages.close,
  };
}
