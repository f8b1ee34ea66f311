import type { Look } from './look.ts';

/** The emoji that the app's messages use. */
const EMOJI = new Map([
  ['art', '🎨'],
  ['white_check_mark', '✅'],
  ['hourglass_flowing_sand', '⏳'],
  ['warning', '⚠️'],
  ['red_circle', '🔴'],
  ['large_orange_circle', '🟠'],
  ['large_yellow_circle', '🟡'],
  ['large_green_circle', '🟢'],
  ['large_blue_circle', '🔵'],
  ['large_purple_circle', '🟣'],
  ['large_brown_circle', '🟤'],
  ['black_circle', '⚫'],
  ['white_circle', '⚪'],
]);

/** Control characters of a text must not reach the terminal. Line feeds stay. */
const CONTROL = /(?!\n)\p{Cc}/gu;

export const withoutControls = (text: string): string => text.replaceAll(CONTROL, '');

/**
 * Slack's mrkdwn as people see it, for a terminal: names for IDs, dates in the reader's time zone, links with their
 * URL (https://docs.slack.dev/messaging/formatting-message-text).
 */
export function mrkdwnAsText(mrkdwn: string, look: Look): string {
  const shown = withoutControls(mrkdwn)
    .replaceAll(/<([^<>]+)>/g, (_all, inside: string) => special(inside, look))
    .replaceAll(/:([a-z0-9_+-]+):/g, (all, name: string) => EMOJI.get(name) ?? all)
    .replaceAll(
      /(^|[\s(])\*([^*\s](?:[^*\n]*[^*\s])?)\*(?=$|[\s.,:;!?)])/g,
      (_all, before: string, text: string) => {
        return before + wordByWord(text, look.paint.bold);
      },
    );
  return withoutEntities(shown);
}

/** Styled word by word, text can be wrapped at its spaces without breaking the style. */
export function wordByWord(text: string, paint: (word: string) => string): string {
  return text.replaceAll(/[^\s]+/g, (word) => paint(word));
}

function special(inside: string, look: Look): string {
  const [target = '', label] = inside.split('|', 2);
  if (target.startsWith('!date^')) return dateText(target, look) ?? label ?? '';
  if (/^[@#]/.test(target)) return label ?? look.nameOf(target.slice(1));
  if (target.startsWith('!')) return label ?? `@${target.slice(1).split('^')[0]}`;
  return label === undefined ? target : `${label} → ${target}`;
}

/**
 * `!date^seconds^format`: the date and time in the reader's time zone. A terminal can't update "5 minutes ago", so
 * that is shown as a time.
 */
function dateText(target: string, { timeZone }: Look): string | undefined {
  const [, seconds, format = ''] = target.split('^');
  const date = new Date(Number(seconds) * 1_000);
  if (Number.isNaN(date.getTime())) return undefined;
  return format.replaceAll(/\{(\w+)\}/g, (_token, name: string) => {
    const isMoment = name === 'ago';
    const style = {
      ...(isMoment || name.startsWith('date') ? { dateStyle: 'medium' as const } : {}),
      ...(isMoment || name === 'time' ? { timeStyle: 'short' as const } : {}),
      ...(name === 'time_secs' ? { timeStyle: 'medium' as const } : {}),
    };
    return new Intl.DateTimeFormat('en-GB', { ...style, timeZone }).format(date);
  });
}

const withoutEntities = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
