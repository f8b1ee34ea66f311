import { styleText } from 'node:util';
import type { Stage } from './stage.ts';

/** The addresses of everything while the sandbox is running. */
export function addressesAsLines(
  { slack, service, acme }: Pick<Stage, 'slack' | 'service' | 'acme'>,
  { appUrl, pagesUrl }: { appUrl: string; pagesUrl: string },
): string[] {
  const { apiKey, url } = service;
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
    'Run it in your own Slack, from another terminal:',
    '  npm run app -- setup && npm start',
  ];
}
