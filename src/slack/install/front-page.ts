import type { Routes } from '../../ops/http-server.ts';
import { createPageSender } from './page.ts';
import { frontPage, privacyPage } from './pages.ts';

/**
 * `GET /`: a person who opens the app's address learns what it is, and where to go instead. `GET /privacy`: what the app
 * stores, and whom to ask.
 *
 * @param options.canInstall whether workspaces install the app through its own page
 * @param options.publicUrl the app's own address, if it is known
 * @param options.supportUrl an https or mailto URL
 */
export function frontPageRoute(options: {
  canInstall: boolean;
  publicUrl: string | undefined;
  supportUrl: string | undefined;
}): Routes {
  const { canInstall, publicUrl = '', supportUrl } = options;
  const sendPage = createPageSender({ isSecure: publicUrl.startsWith('https:') });
  const front = frontPage({ canInstall });
  const privacy = privacyPage({ supportUrl });
  return {
    'GET /': async (_request, response) => sendPage(response, front),
    'GET /privacy': async (_request, response) => sendPage(response, privacy),
  };
}
