import { styleText } from 'node:util';
import type { Stage } from './stage.ts';

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
