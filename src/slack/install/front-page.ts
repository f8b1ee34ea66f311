import type { Routes } from '../../ops/http-server.ts';
import { sendPage } from './page.ts';
import { frontPage } from './pages.ts';

/**
 * `GET /`: a person who opens the app's address learns what it is, and where to go instead.
 *
 * @param options.canInstall whether workspaces install the app through its own page
 */
export function frontPageRoute({ canInstall }: { canInstall: boolean }): Routes {
  const page = frontPage({ canInstall });
  return { 'GET /': async (_request, response) => sendPage(response, page) };
}
