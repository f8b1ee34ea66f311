import {
  type Arguments,
  aligned,
  type Options,
  readArguments,
  UsageError,
} from './read-arguments.ts';

/** A command of operators. */
type Command<T extends Options> = {
  name: string;
  /** What it takes besides options, and how many at most. */
  takes?: string;
  most?: number;
  does: string;
  /** What the app must do meanwhile. */
  app: 'may run' | 'must be stopped' | 'must be stopped on SQLite';
  options: T;
  /** What else its usage says. */
  notes?: string;
  run(given: Arguments<T>): Promise<void>;
};

type Described = { does: string; value?: string };

export const flag = (does: string) => ({ type: 'boolean', default: false, does }) as const;
export const text = (value: string, does: string) => ({ type: 'string', value, does }) as const;

/** Gives a command its usage, and lets it read its arguments. */
export function command<const T extends Options & Record<string, Described>>({
  options,
  run,
  ...described
}: Command<T>) {
  const { name, takes = '', most = 0, does, app, notes = '' } = described;
  const listed = Object.entries<Described>(options).map(
    ([option, { value = '', does }]) => [`--${option} ${value}`.trim(), does] as const,
  );
  const usage = [
    ['npm run app --', name, takes, listed.length > 0 ? '[OPTIONS]' : ''].filter(Boolean).join(' '),
    `${does}. The app ${app}.`,
    aligned(listed, '  '),
    notes,
  ]
    .filter(Boolean)
    .join('\n\n');
  return {
    ...{ name, does, app, usage },
    run: (args: string[]) => run(readArguments(usage, options, { most, args })),
  };
}

/** The only argument of a command, a file. */
export function fileIn({ positionals: [file] }: { positionals: string[] }): string {
  if (!file) throw new UsageError('The file is missing.');
  return file;
}
