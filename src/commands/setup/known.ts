import type { SettingName } from '../../config/help.ts';
import { type Asker, cleaned, type Judged, type Question } from './ask.ts';

/** What is known of the settings so far: given on the command line, in the environment, or in the settings file. */
export type Known = {
  values: Partial<Record<SettingName, string>>;
  /** Those of them that were asked for and work. */
  answers: Partial<Record<SettingName, string>>;
  asker: Asker;
  say: (line: string) => void;
};

/**
 * Obtains one setting: what is known already is tested, and asked for only if it doesn't work.
 *
 * @param write what to write down of an accepted answer
 * @returns undefined if the answer was left empty and may be
 */
export async function obtain<Value>(
  { values, answers, asker, say }: Known,
  question: Question<Value> & { setting: SettingName },
  write: (value: Value) => string,
): Promise<Value | undefined> {
  const { setting } = question;
  const given = cleaned(values[setting] ?? '');
  const judged = given ? await question.judge(given) : undefined;
  if (judged && 'value' in judged) {
    say(`✓ ${setting} works.`);
    values[setting] = write(judged.value);
    return judged.value;
  }
  if (judged) say(`✗ ${setting} doesn’t work: ${judged.problem}`);
  const value = await asker.ask(question, judged?.problem);
  if (value === undefined) delete values[setting];
  else answers[setting] = values[setting] = write(value);
  return value;
}

export const asIs = (value: string): string => value;

/** Accepts what the app would accept, without a further test. */
export const judgedBy =
  (problemOf: (answer: string) => string | undefined) =>
  async (answer: string): Promise<Judged<string>> => {
    const problem = problemOf(answer);
    return problem === undefined ? { value: answer } : { problem };
  };
