const COLORS = [
  '#5b6cc9',
  '#8a4b9c',
  '#17776b',
  '#b04a2f',
  '#2f6ca8',
  '#7b6316',
  '#a83a63',
  '#47702a',
];
const OF_APP = '#1f3a5f';

/** Always the same for one name. */
function colorOf(name: string): string | undefined {
  const sum = [...name].reduce((all, char) => (all * 31 + (char.codePointAt(0) ?? 0)) % 9973, 7);
  return COLORS[sum % COLORS.length];
}

/** A person's initials on their own color. */
export function Avatar({ name, isApp = false }: { name: string; isApp?: boolean }) {
  const letters = name
    .split(/\s+/)
    .map((word) => word[0] ?? '')
    .slice(0, 2)
    .join('');
  return (
    <span
      className="avatar"
      style={{ background: isApp ? OF_APP : colorOf(name) }}
      aria-hidden="true"
    >
      {isApp ? <AppMark /> : letters}
    </span>
  );
}

const AppMark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path d="M9 19.500 20.600 7.900l3.500 3.500L12.500 23 8 24z" fill="#ffd27a" />
    <circle cx="24" cy="6.500" r="2.600" fill="#7fd1c3" />
  </svg>
);
