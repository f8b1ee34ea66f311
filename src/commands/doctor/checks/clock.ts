import { type Check, failed, passed, skipped, warning } from '../check.ts';

/** How far the clocks may differ, in seconds: Slack's own tolerance for signatures, and what the app ignores. */
const REFUSED_SECONDS = 300;
const NOTICED_SECONDS = 60;
const FIX = 'Let the machine set its clock from the network: timedatectl set-ntp true';

export const clock: Check = {
  name: 'clock',
  category: 'runtime',
  about: "This machine's clock agrees with Slack's, which signs with the time.",
  atStart: true,
  needs: 'settings',
  async run({ authTest, now }) {
    const answer = await authTest();
    if (answer?.kind !== 'answer' || !answer.date) return skipped('Slack told no time');
    const seconds = Math.round(Math.abs(now().getTime() - answer.date.getTime()) / 1_000);
    const problem = `This machine's clock is ${Math.round(seconds / 60)} min away from Slack's.`;
    if (seconds >= REFUSED_SECONDS)
      return failed(`${problem} Requests from Slack are refused.`, FIX);
    return seconds >= NOTICED_SECONDS ? warning(problem, FIX) : passed(`${seconds} s apart`);
  },
};
