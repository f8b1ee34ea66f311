/** The emoji of this app's own messages, by their names in Slack. */
export const EMOJI_CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    art: '🎨',
    white_check_mark: '✅',
    hourglass_flowing_sand: '⏳',
    warning: '⚠️',
    mag: '🔍',
    red_circle: '🔴',
    large_orange_circle: '🟠',
    large_yellow_circle: '🟡',
    large_green_circle: '🟢',
    large_blue_circle: '🔵',
    large_purple_circle: '🟣',
    large_brown_circle: '🟤',
    black_circle: '⚫',
    white_circle: '⚪',
  }),
);
