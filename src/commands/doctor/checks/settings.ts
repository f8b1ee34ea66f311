import type { SettingProblem } from '../../../config/config-error.ts';
import { HOW_TO_GET } from '../../../config/help.ts';
import { type Check, failed, passed } from '../check.ts';

const howToGet = ({ setting }: SettingProblem) => `${setting}: ${HOW_TO_GET[setting]}`;

export const settings: Check = {
  name: 'settings',
  category: 'settings',
  about: 'Every setting that is needed is there and can be read.',
  needs: 'nothing',
  run({ settingProblems }) {
    if (settingProblems.length === 0) return passed('complete');
    return failed(
      settingProblems.map(({ setting, problem }) => `${setting} ${problem}`).join('\n'),
      ['npm run app -- setup. Or, one by one:', ...settingProblems.map(howToGet)].join('\n'),
    );
  },
};
