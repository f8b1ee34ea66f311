import type { KnownBlock } from '@slack/types';
import type { CommandArgs } from '../listener/replies.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { BUTTON_VALUE_MAX, clip } from '../text/limits.ts';
import { readTyped } from './parse.ts';
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
export const misused = (args: CommandArgs, known: SubCommand): Promise<void> =>
  offerForm(args, `Use it like this: ${usageOf(known)} — ${known.summary}.`);

/** Says why what was typed can't be done, and offers the form with it as the title. */
export function offerForm(args: CommandArgs, why: string): Promise<void> {
  const typed = readTyped(args.command.text);
  const text = `${why} Did you want to order something called “${escapeMrkdwn(clip(typed, TYPED_SHOWN))}”?`;
  return replyWithFormButton(args, text, typed);
}

/** Answers with a button that opens the form with this title. */
export function replyWithFormButton(args: CommandArgs, text: string, title: string): Promise<void> {
  const blocks: KnownBlock[] = [
    { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          action_id: FORM_ACTIONS.openWithTyped,
          ...(title ? { value: clip(title, BUTTON_VALUE_MAX) } : {}),
          text: { type: 'plain_text', text: 'Open the form' },
        },
      ],
    },
  ];
  return reply(args, text, blocks);
}

const TYPED_SHOWN = 200;
