/** Ways to highlight text; none of them changes its width. */
export type Paint = {
  /** Whether colors are visible at all. */
  hasColors: boolean;
  bold(text: string): string;
  dim(text: string): string;
  /** @param hex for example `#5b6cff`; anything else leaves the text unchanged */
  color(hex: string, text: string): string;
};

const TRUE_COLOUR_DEPTH = 24;
const PALETTE_DEPTH = 8;
/** xterm's palette has a cube of 6 × 6 × 6 colors starting at number 16. */
const CUBE_START = 16;
const CUBE_SIDE = 6;
const CHANNEL_MAX = 255;
const RESET_FOREGROUND = '\u001B[39m';

/**
 * Colors for a terminal.
 *
 * @param depth bits of color as counted by `tty.WriteStream.getColorDepth()`: 1, 4, 8, or 24. It returns 1 without
 *   color support or with NO_COLOR set; the text then stays plain
 */
export function createPaint(depth: number): Paint {
  if (depth <= 1) {
    const plain = (text: string) => text;
    return { hasColors: false, bold: plain, dim: plain, color: (_hex, text) => text };
  }
  return {
    hasColors: true,
    bold: (text) => `\u001B[1m${text}\u001B[22m`,
    dim: (text) => `\u001B[2m${text}\u001B[22m`,
    color(hex, text) {
      const channels = /^#(..)(..)(..)$/
        .exec(hex)
        ?.slice(1)
        .map((pair) => Number.parseInt(pair, 16));
      if (!channels || channels.some(Number.isNaN)) return text;
      return `\u001B[${foreground(channels, depth)}m${text}${RESET_FOREGROUND}`;
    },
  };
}

function foreground(channels: number[], depth: number): string {
  if (depth >= TRUE_COLOUR_DEPTH) return `38;2;${channels.join(';')}`;
  if (depth >= PALETTE_DEPTH) {
    const inCube = channels.map((channel) => Math.round((channel / CHANNEL_MAX) * (CUBE_SIDE - 1)));
    return `38;5;${CUBE_START + inCube.reduce((sum, level) => sum * CUBE_SIDE + level, 0)}`;
  }
  // With eight colors, each of red, green, and blue is on or off.
  const [red = 0, green = 0, blue = 0] = channels.map((channel) =>
    Math.round(channel / CHANNEL_MAX),
  );
  return String(30 + red + 2 * green + 4 * blue);
}
