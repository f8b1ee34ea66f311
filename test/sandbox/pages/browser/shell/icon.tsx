import type { ComponentProps } from 'react';

/** In a square of 20 units: strokes, except for `send`, which is filled. */
const PATHS = {
  chevron: 'm6 8 4 4 4-4',
  back: 'M12 5 7 10l5 5',
  cross: 'm5.5 5.5 9 9m0-9-9 9',
  menu: 'M3.5 6h13m-13 4h13m-13 4h13',
  lock: 'M5.5 9h9v7h-9zM7.2 9V6.500a2.8 2.8 0 0 1 5.6 0V9',
  hash: 'M8 4 6.5 16M13.5 4 12 16M4.5 8h12m-13 4h12',
  reply: 'M3.5 4.500h13v8.500h-6.500l-3.5 3v-3h-3z',
  pencil: 'M4.500 15.500l.7-3.200 7.800-7.800 2.500 2.500-7.800 7.800zM11.500 6l2.500 2.5',
  trash: 'M4.5 6h11M8 6V4h4v2m2 0-.7 10h-6.600L6 6m3 2.500v5m2-5v5',
  bold: 'M6 4h4.800a3 3 0 0 1 0 6H6zm0 6h5.600a3 3 0 0 1 0 6H6z',
  italic: 'M8.5 4H14M6 16h5.500M11.3 4 8.7 16',
  strike:
    'M3.5 10h13M13.5 6.500C13 5 11.7 4 10 4 8 4 6.5 5 6.5 6.800c0 .9.4 1.6 1.1 2.200M6.5 13.500C7 15 8.3 16 10 16c2 0 3.5-1 3.5-2.8 0-.5-.1-.9-.3-1.2',
  bullets: 'M4 5.500h.01M4 10h.01M4 14.500h.01M8 5.500h8.500M8 10h8.500M8 14.500h8.5',
  numbers:
    'M8 5.500h8.500M8 10h8.500M8 14.500h8.500M3.5 4.5 4.5 4v3M3.3 9h1.700l-1.7 2.500H5M3.3 13.300h1.500L4 14.500c.6 0 1 .4 1 .900s-.5 1-1.7.7',
  quote: 'M4 5v10M8 6.500h8.500M8 10h8.500M8 13.500h5.5',
  more: 'M4.500 10h.01M10 10h.01M15.500 10h.01',
  bolt: 'M11 3 4.500 11.500H9L8.500 17l6.500-8.500h-4.500z',
  eye: 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5Zm7.5-2a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  send: 'M3 10.700V16.500l14.5-6.500L3 3.500v5.800l8 .7Z',
};

export type IconName = keyof typeof PATHS;

/** A small icon next to text; it has no text of its own. */
export function Icon({ name }: { name: IconName }) {
  const isFilled = name === 'send';
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke={isFilled ? 'none' : 'currentColor'}
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

type IconButtonProps = ComponentProps<'button'> & { icon: IconName; label: string };

export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
