import { parseArgs, styleText } from 'node:util';
import type { Stage } from './stage.ts';

export type SandboxArguments =
  | { kind: 'run'; exitAfterWalk: boolean }
  | { kind: 'help' }
  | { kind: 'refused'; problem: string };

export const USAGE = `Usage: npm run sandbox [-- --exit]

  Runs Design Request between a stand-in Slack and a stand-in design service,
  makes one request, and keeps running until Ctrl-C, with pages where you can
  use the app in your browser.

  --exit   end after that request, without the pages
  --help   show this help`;

export function readSandboxArguments(given: readonly string[]): SandboxArguments {
  if (given.some((argument) => /^--?host(=|$)/.test(argument))) {
    return refused('The sandbox listens on 127.0.0.1 only; there is no --host.');
  }
  try {
    const { values } = parseArgs({
      args: [...given],
      options: { exit: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    return values.help ? { kind: 'help' } : { kind: 'run', exitAfterWalk: values.exit ?? false };
  } catch (error) {
    // Node's first sentence names the argument; the rest explains a syntax that isn't used here.
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split('. ');
    return refused(`${sentence.replace(/\.$/, '')}.`);
  }
}

const refused = (problem: string): SandboxArguments => ({
  kind: 'refused',
  problem: `${problem}\n\n${USAGE}`,
});

/** The addresses of everything while the sandbox is running, and what to do next. */
export function addressesAsLines(
  { slack, service, acme }: Pick<Stage, 'slack' | 'service' | 'acme'>,
  options: { appUrl: string; pagesUrl: string; cardId: string },
): string[] {
  const { appUrl, pagesUrl, cardId } = options;
  const { apiKey, url } = service;
  const curl = (path: string) => [`  curl -H 'x-api-key: ${apiKey}' \\`, `    ${url}${path}`];
  return [
    styleText('bold', 'Everything keeps running until you press Ctrl-C'),
    `Open in a browser  ${styleText('bold', pagesUrl)}`,
    `  the service      ${pagesUrl}/dashboard`,
    `  the log          ${pagesUrl}/log`,
    `The app            ${appUrl}/readyz`,
    `Slack's Web API    ${slack.apiUrl}`,
    `  bot token        ${acme.botToken}`,
    `The design service ${url}`,
    `  API key          ${apiKey}`,
    'These tokens and keys work only with the stand-ins.',
    '',
    styleText('bold', 'What you can do next'),
    'Read the new card, or what the service offers:',
    ...curl(`/card/${cardId}`),
    ...curl('/card-types'),
    'Call Slack as the app:',
    `  curl -H 'authorization: Bearer ${acme.botToken}' \\`,
    `    ${slack.apiUrl}auth.test`,
    'Run it in your own Slack, from another terminal:',
    '  npm run app -- setup && npm start',
  ];
}
