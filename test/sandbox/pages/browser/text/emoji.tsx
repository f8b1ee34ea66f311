import type { ReactNode } from 'react';

const circle = (words: string, fill: string) => ({
  words,
  picture: <circle cx="10" cy="10" r="7.5" fill={fill} />,
});
const CIRCLES = {
  red_circle: circle('red circle', '#e5484d'),
  large_orange_circle: circle('orange circle', '#f08a24'),
  large_yellow_circle: circle('yellow circle', '#f5c518'),
  large_green_circle: circle('green circle', '#2f9e5b'),
  large_blue_circle: circle('blue circle', '#3b82f6'),
  large_purple_circle: circle('purple circle', '#a259ff'),
  large_brown_circle: circle('brown circle', '#8a5a34'),
  black_circle: circle('black circle', '#3d3c40'),
};

/** Drawn here instead of by a font, so that they look the same on every machine. */
const DRAWN: Record<string, { words: string; picture: ReactNode }> = {
  white_check_mark: {
    words: 'done',
    picture: (
      <>
        <rect x="2" y="2" width="16" height="16" rx="3.5" fill="#2f9e5b" />
        <path d="m5.8 10.3 2.9 2.9 5.5-6.2" fill="none" stroke="#fff" strokeWidth="2.2" />
      </>
    ),
  },
  warning: {
    words: 'warning',
    picture: (
      <>
        <path d="M10 2.3 18.6 17H1.400Z" fill="#f5b825" strokeLinejoin="round" />
        <path d="M10 7.200v5" stroke="#4a3500" strokeWidth="1.9" strokeLinecap="round" />
        <circle cx="10" cy="14.6" r="1.150" fill="#4a3500" />
      </>
    ),
  },
  ...CIRCLES,
  white_circle: {
    words: 'white circle',
    picture: <circle cx="10" cy="10" r="7" fill="#ffffff" stroke="#8b8a93" strokeWidth="1.5" />,
  },
  hourglass_flowing_sand: {
    words: 'waiting',
    picture: (
      <>
        <path
          d="M5 2.500h10v3.200L11.4 10 15 14.300v3.200H5v-3.200L8.6 10 5 5.700Z"
          fill="#a9c4de"
        />
        <path d="M7.3 5.200h5.400L10 8.600Zm-.3 11L10 12.700l3 3.500Z" fill="#d99a5b" />
      </>
    ),
  },
};

/** An emoji by its name; unsupported ones are shown by name, as in Slack. */
export function Emoji({ name }: { name: string }) {
  const drawn = DRAWN[name];
  if (!drawn) return <span>{`:${name}:`}</span>;
  return (
    <svg className="emoji" viewBox="0 0 20 20" role="img" aria-label={drawn.words}>
      {drawn.picture}
    </svg>
  );
}
