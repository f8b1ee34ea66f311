/** From these saturations and lightnesses on, a color looks gray, white, or black. */
const GRAY_SATURATION = 0.15;
const WHITE_LIGHTNESS = 0.6;
const BROWN_LIGHTNESS = 0.35;

/** Where each color ends on the color wheel, in degrees. */
const HUES: readonly (readonly [end: number, emoji: string])[] = [
  [15, ':red_circle:'],
  [45, ':large_orange_circle:'],
  [70, ':large_yellow_circle:'],
  [170, ':large_green_circle:'],
  [250, ':large_blue_circle:'],
  [330, ':large_purple_circle:'],
  [360, ':red_circle:'],
];

/**
 * The colored circle that is closest to the color of a status or tag, by its name in Slack; undefined if it has
 * none, or not in the form `#rrggbb`.
 */
export function statusEmoji({ color }: { color?: string | undefined }): string | undefined {
  if (!color || !/^#[0-9a-f]{6}$/i.test(color)) return undefined;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (start) => Number.parseInt(color.slice(start, start + 2), 16) / 255,
  );
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const lightness = most - range / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  if (saturation < GRAY_SATURATION)
    return lightness < WHITE_LIGHTNESS ? ':black_circle:' : ':white_circle:';
  const sixth =
    most === red
      ? (green - blue) / range
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  const hue = (sixth * 60 + 360) % 360;
  const emoji = HUES.find(([end]) => hue < end)?.[1];
  return emoji === ':large_orange_circle:' && lightness < BROWN_LIGHTNESS
    ? ':large_brown_circle:'
    : emoji;
}
