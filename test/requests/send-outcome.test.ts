import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import type { RequestState } from '../../src/requests/request.ts';
import { recordSendOutcome, type SendOutcome } from '../../src/requests/send-outcome.ts';
import { at } from '../store/stores-under-test.ts';
import { requestsUnderTest } from './requests-under-test.ts';

const OURS = '1/1';
const ANOTHERS = '1/2';
const MADE: SendOutcome = { state: 'created', cardId: 'c1' };
const REFUSED: SendOutcome = { state: 'rejected', problem: { code: 'invalid_request' } };
const UNKNOWN: SendOutcome = { state: 'in_doubt', problem: { code: 'outcome_unknown' } };
const WITHHELD: SendOutcome = { state: 'queued', retryAt: at(5) };
const BUSY: SendOutcome = { ...WITHHELD, problem: { code: 'busy', retryAt: at(5).getTime() } };

/** The result of applying our outcome to a request in this state, last sent under this claim. */
async function settled(state: RequestState, sentBy: string, outcome: SendOutcome) {
  const world = await requestsUnderTest({ started: false });
  const { ctx, stores, submit, jobsOfKind } = world;
  const request = await submit('r1');
  await stores.requests.changeState(request, ['queued'], state, { sentBy }, at(0));
  const next = await recordSendOutcome(
    { ...ctx, stopping: new AbortController().signal, log: createLog({ level: 'silent' }) },
    request,
    { claim: OURS, outcome },
  );
  const told = [
    ...(await jobsOfKind('announce-request')),
    ...(await jobsOfKind('reconcile-request')),
  ];
  return { state: await world.stateOf('r1'), told: told.length, next };
}

describe('the outcome of a request', () => {
  it.each([
    ['sending', MADE, 'created', 1],
    ['sending', REFUSED, 'rejected', 1],
    ['sending', UNKNOWN, 'in_doubt', 1],
    ['sending', BUSY, 'queued', 1],
    // Its author needn't know that this process was frozen.
    ['sending', WITHHELD, 'queued', 0],
    // Its author was asked meanwhile; a certain outcome ends that.
    ['in_doubt', MADE, 'created', 1],
    ['in_doubt', REFUSED, 'rejected', 1],
    ['in_doubt', UNKNOWN, 'in_doubt', 0],
    ['in_doubt', BUSY, 'in_doubt', 0],
    ['in_doubt', WITHHELD, 'in_doubt', 0],
    // Its author chose to send it again, and nobody has started yet.
    ['queued', MADE, 'created', 1],
    ['queued', UNKNOWN, 'queued', 0],
    // Its author has discarded it.
    ['discarded', MADE, 'discarded', 0],
  ] as const)('in state %s: %j makes it %s', async (state, outcome, becomes, told) => {
    expect(await settled(state, OURS, outcome)).toMatchObject({ state: becomes, told });
  });

  it.each([MADE, REFUSED, UNKNOWN, BUSY, WITHHELD])(
    '%j changes nothing if another claim is sending it now',
    async (outcome) => {
      expect(await settled('sending', ANOTHERS, outcome)).toMatchObject({
        state: 'sending',
        told: 0,
      });
    },
  );

  it('leaves the job to be retried if nothing was sent', async () => {
    expect((await settled('sending', OURS, WITHHELD)).next).toEqual({ retryAt: at(5) });
    expect((await settled('sending', OURS, MADE)).next).toBe('done');
  });
});
