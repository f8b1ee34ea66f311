import type { Slack } from '../stand-ins/slack/server.ts';
import type { User } from '../stand-ins/slack/state/model.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';

/** Where Slack sends browsers back to; the test's browser connects to the app instead. */
export const PUBLIC_URL = 'https://example.com';

/** An app and its Slack; the app's address changes when it restarts. */
export type Reachable = { app: { url: string }; slack: Slack };

export type Shown = { status: number; headers: Headers; text: string };

/** A person's browser: it keeps cookies and reaches the app at its public address. */
export type Browser = ReturnType<typeof openBrowser>;

export function openBrowser(world: Reachable) {
  const cookies = new Map<string, string>();
  return {
    cookies,
    /** @param address absolute, or a path of the app */
    async open(address: string) {
      const { pathname, search } = new URL(address, PUBLIC_URL);
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(world.app.url + pathname + search, {
        headers: cookie ? { cookie } : {},
        redirect: 'manual',
      });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        const at = pair.indexOf('=');
        cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}

const UNESCAPED: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&#39;': "'" };

/** The target of a link on a page. */
export function linkOf({ text }: Shown, words: string): string {
  const found = new RegExp(`<a[^>]*href="([^"]*)"[^>]*>${words}</a>`).exec(text)?.[1];
  if (found === undefined) throw new Error(`There is no link “${words}” in ${text}`);
  return found.replaceAll(/&(?:amp|quot|#39);/g, (entity) => UNESCAPED[entity] ?? entity);
}

/** Opens the install page and approves the app in Slack. @returns where Slack sends the browser back to */
export async function allow(
  world: Reachable,
  browser: Browser,
  { workspace, user }: { workspace: Workspace; user: User },
): Promise<string> {
  const page = await browser.open('/slack/install');
  return world.slack.authorize(workspace, user, linkOf(page, 'Add to Slack'));
}

/** Installs the app, from the first page to the last. */
export async function install(world: Reachable, workspace: Workspace, user: User): Promise<Shown> {
  const browser = openBrowser(world);
  return browser.open(await allow(world, browser, { workspace, user }));
}
