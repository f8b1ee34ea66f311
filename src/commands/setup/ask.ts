import { HOW_TO_GET, type SettingName } from '../../config/help.ts';
import { problemWith } from '../../config/settings.ts';
import { OperatorError } from '../../ops/operator-error.ts';

export type Judged<Value> = { value: Value } | { problem: string };

type Question<Value> = {
  setting: SettingName | 'SLACK_CONFIG_TOKEN';
  message: string;
  isSecret?: boolean;
  /** What Enter means without an answer; without this, an answer is required. */
  ifEmpty?: string;
  suggestion?: string | undefined;
  /** Whether `judge` tests an answer by using it; otherwise it only looks at its form. */
  isTested?: boolean;
  judge(answer: string): Promise<Judged<Value>>;
};

type Choice<Value> = { message: string; choices: readonly { value: Value; name: string }[] };

/** Asks for settings: `askPerson`, or `askNobody` with `--yes`. */
export type Asker = {
  /** @param refused why the value that was given doesn't work. @returns undefined if it may be left empty, and is */
  ask<Value>(question: Question<Value>, refused?: string): Promise<Value | undefined>;
  /** @returns the first choice if nobody can be asked */
  choose<Value>(choice: Choice<Value>): Promise<Value>;
};

/** Whether the person ended a prompt with Ctrl-C or Ctrl-D, or the input ended. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ExitPromptError';

/** Without the quotes that were copied with it. */
export const cleaned = (answer: string): string =>
  answer
    .trim()
    .replace(/^(["'`])(.*)\1$/, '$2')
    .trim();

/** Asks in the terminal, or over a pipe. The prompts are loaded with the first question. */
export const askPerson: Asker = {
  async ask<Value>({ message, isSecret, ifEmpty, suggestion, judge }: Question<Value>) {
    let accepted: Value | undefined;
    const validate = async (answer: string) => {
      const text = cleaned(answer);
      if (text === '') return ifEmpty !== undefined || 'An answer is needed.';
      const judged = await judge(text);
      if ('problem' in judged) return judged.problem;
      accepted = judged.value;
      return true;
    };
    const asked = { message: ifEmpty ? `${message} (${ifEmpty})` : message, validate };
    if (isSecret) {
      const { default: password } = await import('@inquirer/password');
      await password({ ...asked, mask: true, toggleMask: false });
    } else {
      const { default: prompt } = await import('@inquirer/input');
      const field = suggestion ? { default: suggestion, prefill: 'editable' as const } : {};
      await prompt({ ...asked, ...field });
    }
    return accepted;
  },
  async choose({ message, choices }) {
    const { default: select } = await import('@inquirer/select');
    return select({ message, choices: [...choices] });
  },
};

/** Asks nobody: whatever is missing or doesn't work ends the setup, with the name of the variable to set. */
export const askNobody: Asker = {
  async ask({ setting, ifEmpty }, refused) {
    if (ifEmpty !== undefined && refused === undefined) return undefined;
    const how = setting === 'SLACK_CONFIG_TOKEN' ? '' : `\n  ${HOW_TO_GET[setting]}`;
    throw new OperatorError(`--yes needs a ${setting} that works.${how}`);
  },
  choose: async ({ choices: [first] }) => {
    if (!first) throw new Error('There is nothing to choose from.');
    return first.value;
  },
};

export type Mode = 'socket' | 'http';

export type Setup = {
  /** What is known of the settings: given on the command line, in the environment, or in the settings file. */
  values: Partial<Record<SettingName, string>>;
  /** The variables of the process, with what was given on the command line. */
  env: Record<string, string | undefined>;
  manifestTemplate: string;
  mode: Mode | undefined;
  /** Serves every workspace that installs the app. */
  many: boolean;
  /** Of an app that exists; undefined if it isn't known. */
  appId: string | undefined;
  asker: Asker;
  say: (line: string) => void;
  /** Takes values, and writes them to the settings file at once: another run continues from there. */
  keep: (taken: Setup['values']) => void;
};

/**
 * Ensures that one setting works: a value that is known already is tested, and a new one is asked for only if it fails.
 *
 * @param write turns an accepted answer into the text to write; needed unless it is a text already
 * @returns undefined if the answer was left empty and may be
 */
export async function ensureSetting<Value>(
  { values, asker, say, keep }: Setup,
  question: Question<Value> & { setting: SettingName },
  write: (value: Value) => string = String,
): Promise<Value | undefined> {
  const { setting } = question;
  const given = cleaned(values[setting] ?? '');
  const judged = given ? await question.judge(given) : undefined;
  let value: Value | undefined;
  if (judged && 'value' in judged) {
    say(`✓ ${setting} ${question.isTested ? 'works' : 'is set'}.`);
    value = judged.value;
  } else {
    const name = judged?.problem.startsWith(setting) ? '' : `${setting} doesn’t work: `;
    if (judged) say(`✗ ${name}${judged.problem}`);
    value = await asker.ask(question, judged?.problem);
  }
  keep({ [setting]: value === undefined ? '' : write(value) });
  return value;
}

/** Accepts what the app would accept, without a further test. The problem names the setting. */
export const judgedAs =
  (setting: SettingName) =>
  async (answer: string): Promise<Judged<string>> => {
    const problem = problemWith(setting, answer);
    return problem === undefined ? { value: answer } : { problem: `${setting} ${problem}` };
  };
