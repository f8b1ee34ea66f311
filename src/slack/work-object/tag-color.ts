/** The colors that Slack has for a tag, with the one of its palette that each stands for. */
const TAG_COLORS = {
  red: [224, 30, 90],
  yellow: [236, 178, 46],
  green: [46, 182, 125],
  blue: [54, 120, 240],
} as const;

/** Colors with less difference between their parts, of 255, look gray. */
const GRAY_BELOW = 40;

export type TagColor = keyof typeof TAG_COLORS | 'gray';

/**
 * The tag color that is nearest to a status's color.
 *
 * @param color `#rrggbb`
 */
export function nearestTagColor(color: string | undefined): TagColor {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color ?? '');
  if (!parts) return 'gray';
  const rgb = parts.slice(1).map((part) => Number.parseInt(part, 16));
  if (Math.max(...rgb) - Math.min(...rgb) < GRAY_BELOW) return 'gray';
  const hue = hueOf(rgb);
  const distances = Object.entries(TAG_COLORS).map(([name, reference]) => {
    const apart = Math.abs(hue - hueOf(reference));
    return { name: name as TagColor, distance: Math.min(apart, 360 - apart) };
  });
  return distances.reduce((near, one) => (one.distance < near.distance ? one : near)).name;
}

/** In degrees. People tell colors apart by hue rather than by brightness. */
function hueOf([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (most === red) return (60 * (green - blue)) / range + (green < blue ? 360 : 0);
  if (most === green) return 120 + (60 * (blue - red)) / range;
  return 240 + (60 * (red - green)) / range;
}
