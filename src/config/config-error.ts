import { OperatorError } from '../ops/operator-error.ts';
import { HOW_TO_GET, type SettingName } from './help.ts';

export type SettingProblem = { setting: SettingName; problem: string };

/** Settings are missing or wrong. The message names every problem and how to fix it. */
export class ConfigError extends OperatorError {
  readonly problems: SettingProblem[];
  /** @param consequence how the message begins */
  constructor(problems: SettingProblem[], consequence = "Design Request can't start") {
    const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
    const lines = problems.map(
      ({ setting, problem }) => `  ${setting} ${problem}\n    ${HOW_TO_GET[setting]}`,
    );
    super(
      `${consequence}: ${count} attention.\n\n${lines.join('\n')}\n\n\`npm run app -- setup\` asks for each setting and checks it.`,
    );
    this.problems = problems;
  }
}
