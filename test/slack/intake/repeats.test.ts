import { describe, expect, it, vi } from 'vitest';
import { at } from '../../store/stores-under-test.ts';
import { command, interaction, submission } from './deliveries.ts';
import { FORM_TYPE, signed, startIntake } from './intake-under-test.ts';

const REPLAYS = 100;

const repeat = <T>(times: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => run(index)));

describe('an interaction', () => {
  it('replayed a hundred times has one effect and one reply', async () => {
    const ran = vi.fn();
    const { post } = await startIntake((bolt) =>
      bolt.view('form', async ({ ack }) => {
        ran();
        await ack({ response_action: 'errors', errors: { title: 'Too long.' } });
      }),
    );
    const body = interaction(submission('t1'));
    const headers = signed(body, at(0), FORM_TYPE);
    const answers = await repeat(REPLAYS / 2, () => post(body, headers));
    answers.push(...(await repeat(REPLAYS / 2, () => post(body, headers))));
    const reply = '{"response_action":"errors","errors":{"title":"Too long."}}';
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body))).toEqual(new Set([reply]));
    expect(ran).toHaveBeenCalledOnce();
  });

  it('that failed isn’t run again by a replay', async () => {
    const ran = vi.fn();
    const { send } = await startIntake((bolt) =>
      bolt.command('/design-request', async () => {
        ran();
        throw new Error('the database is down');
      }),
    );
    const answers = await repeat(10, () => send(command('t1'), FORM_TYPE));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
    expect(ran).toHaveBeenCalledOnce();
  });
});
