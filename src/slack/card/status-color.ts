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
  const rgb = rgbOf(color);
  if (!rgb) return undefined;
  const most = Math.max(...rgb) / 255;
  const range = most - Math.min(...rgb) / 255;
  const lightness = most - range / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  if (saturation < GRAY_SATURATION)
    return lightness < WHITE_LIGHTNESS ? ':black_circle:' : ':white_circle:';
  const hue = hueOf(rgb);
  const emoji = HUES.find(([end]) => hue < end)?.[1];
  return emoji === ':large_orange_circle:' && lightness < BROWN_LIGHTNESS
    ? ':large_brown_circle:'
    : emoji;
}

/** Colors with less difference between their parts, of 255, look gray. */
const GRAY_BELOW = 40;

type TagColor = 'red' | 'yellow' | 'green' | 'blue' | 'gray';

/** Up to which hue each of Slack's tags is nearest: they are at 341, 42, 155, and 219 degrees. */
const TAGS: readonly (readonly [end: number, tag: TagColor])[] = [
  [12, 'red'],
  [98, 'yellow'],
  [187, 'green'],
  [280, 'blue'],
  [360, 'red'],
];

/**
 * The tag color that is nearest to a status's color.
 *
 * @param color `#rrggbb`
 */
export function nearestTagColor(color: string | undefined): TagColor {
  const rgb = rgbOf(color);
  if (!rgb || Math.max(...rgb) - Math.min(...rgb) < GRAY_BELOW) return 'gray';
  const hue = hueOf(rgb);
  return TAGS.find(([end]) => hue <= end)?.[1] ?? 'gray';
}

/** Red, green, and blue, up to 255; undefined if it isn't `#rrggbb`. */
function rgbOf(color: string | undefined): number[] | undefined {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color ?? '');
  return parts?.slice(1).map((part) => Number.parseInt(part, 16));
}

/** In degrees. People tell colors apart by hue rather than by brightness. */
function hueOf([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (most === red) return (60 * (green - blue)) / range + (green < blue ? 360 : 0);
  if (most === green) return 120 + (60 * (blue - red)) / range;
  return 240 + (60 * (red - green)) / range;
}
