import type { KnownBlock } from '@slack/types';
import type { CommandArgs } from '../listeners.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { BUTTON_VALUE_MAX, clip } from '../text/limits.ts';
import { reply, type SubCommand } from './sub-command.ts';

export const COMMAND = '/design-request';

/** Usage of every sub-command, made from the table of them. */
export function buildHelp(subCommands: readonly SubCommand[]): string {
  const lines = subCommands.map((known) => `• ${usageOf(known)} — ${known.summary}`);
  return `*Order design and video work*\n${lines.join('\n')}`;
}

const usageOf = ({ name, usage }: SubCommand) =>
  `\`${escapeCode([COMMAND, name, usage].filter(Boolean).join(' '))}\``;

/** A sub-command that can't be done as typed: how it is used, and a form with what was typed. */
export function misused(args: CommandArgs, known: SubCommand, rest: string): Promise<void> {
  const typed = `${known.name} ${rest}`.trim();
  const text = `Use it like this: ${usageOf(known)} — ${known.summary}. Did you want to order something called “${escapeMrkdwn(clip(typed, TYPED_SHOWN))}”?`;
  const blocks: KnownBlock[] = [
    { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          action_id: FORM_ACTIONS.openWithTyped,
          value: clip(typed, BUTTON_VALUE_MAX),
          text: { type: 'plain_text', text: 'Open the form' },
        },
      ],
    },
  ];
  return reply(args, text, blocks);
}

const TYPED_SHOWN = 200;
