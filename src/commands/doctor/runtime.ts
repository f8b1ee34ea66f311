import { z } from 'zod';
import { portInUse } from '../../ops/process.ts';
import { reasonOf } from '../ask-slack.ts';
import { askRunningApp, type Check, failed, passed, skipped, warning } from './check.ts';

/** How far the clocks may differ, in seconds: Slack's own tolerance for signatures, and what the app ignores. */
const REFUSED_SECONDS = 300;
const NOTICED_SECONDS = 60;
const SET_CLOCK = 'Let the machine set its clock from the network: timedatectl set-ntp true';

const readiness = z.looseObject({ ready: z.boolean() });

export const runtimeChecks: readonly Check[] = [
  {
    name: 'clock',
    about: "This machine's clock agrees with Slack's, whose signatures contain the time.",
    atStart: true,
    async run({ authTest, now }) {
      const answer = await authTest();
      if (answer?.kind !== 'answer' || !answer.date) return skipped('Slack’s answer has no date');
      const seconds = Math.round(Math.abs(now().getTime() - answer.date.getTime()) / 1_000);
      const problem = `This machine's clock is ${Math.round(seconds / 60)} min away from Slack's.`;
      if (seconds >= REFUSED_SECONDS)
        return failed(`${problem} Requests from Slack are refused.`, SET_CLOCK);
      return seconds >= NOTICED_SECONDS
        ? warning(problem, SET_CLOCK)
        : passed(`${seconds} s apart`);
    },
  },
  {
    name: 'running-app',
    about: 'If the app runs, it is ready: its database, Slack, and the socket of Socket Mode.',
    async run({ config: { server } }) {
      try {
        const response = await askRunningApp(server, '/readyz');
        const parsed = readiness.safeParse(await response.json().catch(() => undefined));
        if (!parsed.success) {
          return failed(
            `Another program answers on PORT. ${portInUse(server.port)}`,
            'Stop it, or set PORT to a free port.',
          );
        }
        const { ready, ...checks } = parsed.data;
        if (ready) return passed('ready');
        const names = Object.keys(checks).filter((name) => checks[name] !== 'ok');
        return failed(
          `The running app isn't ready: ${names.join(', ')}.`,
          'Its log says why, in lines of level warn or error.',
        );
      } catch (error) {
        return skipped(`the app doesn't run on this machine (${reasonOf(error)})`);
      }
    },
  },
];
