import type { Stage } from './stage.ts';
import type { Paint } from './terminal/paint.ts';

/** Where everything is while the sandbox stays up, and what can be done with it. */
export function addressesAsLines(
  { slack, service, acme }: Pick<Stage, 'slack' | 'service' | 'acme'>,
  options: { appUrl: string; pagesUrl: string; cardId: string; paint: Paint },
): string[] {
  const { appUrl, pagesUrl, cardId, paint } = options;
  const { apiKey, url } = service;
  const curl = (path: string) => [`  curl -H 'x-api-key: ${apiKey}' \\`, `    ${url}${path}`];
  return [
    paint.bold('Everything stays up until you press Ctrl-C'),
    `Open in a browser  ${paint.bold(pagesUrl)}`,
    `  the service      ${pagesUrl}/dashboard`,
    `  what is said     ${pagesUrl}/log`,
    `The app            ${appUrl}/readyz`,
    `Slack's Web API    ${slack.apiUrl}`,
    `  bot token        ${acme.botToken}`,
    `The design service ${url}`,
    `  API key          ${apiKey}`,
    'The tokens and keys are those of the stand-ins and end with them.',
    '',
    paint.bold('What you can do next'),
    'Read the new card, or what can be ordered:',
    ...curl(`/card/${cardId}`),
    ...curl('/card-types'),
    'Speak as the app does:',
    `  curl -H 'authorization: Bearer ${acme.botToken}' \\`,
    `    ${slack.apiUrl}auth.test`,
    'Run it in your own Slack, from another terminal:',
    '  cp .env.example .env            and fill it in',
    '  npm run manifest -- --socket    prints the link that creates the Slack app',
    '  npm run dev                     runs it with the settings of .env',
  ];
}
