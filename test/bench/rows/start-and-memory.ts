import { setTimeout as sleep } from 'node:timers/promises';
import { compare, ratioOf } from '../rounds.ts';
import { atMost, figure, type Measured, type Row } from '../row.ts';
import { type Launch, megabytesOf, type Subject } from '../subjects/subject.ts';

type About = Pick<Row, 'id' | 'title' | 'how'> & {
  unit: Measured['unit'];
  /** The most, relative to bare Bolt. */
  target: number;
  measure(subject: Subject): Promise<number>;
};

/** The app and bare Bolt are started, measured, and stopped. */
const rowOf = ({ id, title, how, unit, target, measure }: About): Row => ({
  id,
  title,
  how,
  async run({ stage, rounds, say }) {
    const service = await stage.openService();
    const measured = (launch: Launch) => async () => {
      const subject = await stage.start(launch);
      const value = await measure(subject);
      await subject.stop();
      return { value };
    };
    const contenders = {
      bare: measured(stage.bareBolt()),
      app: measured(stage.app({ service, name: id })),
    };
    const { app, bare } = await compare(contenders, { rounds, say });
    const ratios = ratioOf(app.value, bare.value);
    return [
      figure('the app relative to bare Bolt', 'ratio', ratios, atMost(target)),
      figure('bare Bolt', unit, bare.value),
      figure('the app', unit, app.value),
    ];
  },
});

export const startRow = rowOf({
  id: 'start',
  title: 'From start to ready',
  how: 'From starting the process until it logs that it is ready. By then the app has locked and migrated its database and verified its token with Slack.',
  unit: 'ms',
  target: 1.4,
  measure: async ({ readyMs }) => readyMs,
});

/** By then nothing of the start is in progress, and idle connections to Slack are closed. */
const IDLE_AFTER_MS = 8_000;

export const memoryRow = rowOf({
  id: 'memory',
  title: 'Memory, idle',
  how: 'Resident memory eight seconds after the app is ready.',
  unit: 'MB',
  target: 1.3,
  async measure(subject) {
    await sleep(IDLE_AFTER_MS);
    return megabytesOf(subject);
  },
});
