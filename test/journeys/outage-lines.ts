import type { World } from './world.ts';

/** What the log has said since the app was ready about a database that can't be used, and all warnings and errors. */
export function outageLines({ logLines }: World): string[] {
  const lines = logLines.map((line) => JSON.parse(line));
  return (
    lines
      .slice(lines.findIndex(({ msg }) => msg === 'ready'))
      // A person was shown the reference, so it has to be found.
      .filter(({ ref }) => ref === undefined)
      .filter(({ level, msg }) => ['warn', 'error'].includes(level) || /DATABASE_URL/.test(msg))
      .map(({ msg, reason }) => [msg, reason].filter(Boolean).join(': '))
  );
}
