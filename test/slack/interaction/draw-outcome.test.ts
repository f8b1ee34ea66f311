import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { buildNotice, createOutcomes } from '../../../src/slack/interaction/views.ts';
import { clientOf, log } from '../client/answering.ts';

const REDRAWN_AFTER_MS = 1_500;
const view = (shown: string) => buildNotice({ title: 'Outcome', text: shown });

/** Outcomes, a client for drawing them, and the texts that Slack was told to draw. Time stands still. */
async function setUp() {
  const drawn: string[] = [];
  const { client } = await clientOf(async (request, response) => {
    const body = new URLSearchParams(await text(request));
    drawn.push(/first|second/.exec(body.get('view') ?? '')?.[0] ?? '');
    response.end('{"ok":true}');
  });
  // Node's own timers go on.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const outcomes = createOutcomes({ log });
  const later = () => vi.advanceTimersByTimeAsync(REDRAWN_AFTER_MS);
  async function expectDrawn(expected: string[]) {
    vi.useRealTimers();
    await expect.poll(() => drawn).toEqual(expected);
  }
  return { client, drawn, outcomes, later, expectDrawn };
}

afterEach(() => void vi.useRealTimers());

it('draws an outcome again, since an acknowledgment’s own view may have replaced it', async () => {
  const { client, drawn, outcomes, later, expectDrawn } = await setUp();
  await outcomes.of('V1')(client, view('first'));
  expect(drawn).toEqual(['first']);
  await later();
  await expectDrawn(['first', 'first']);
});

it('doesn’t draw it again once the modal was submitted again', async () => {
  const { client, outcomes, later, expectDrawn } = await setUp();
  await outcomes.of('V1')(client, view('first'));
  const drawSecond = outcomes.of('V1');
  await later();
  await drawSecond(client, view('second'));
  await later();
  await expectDrawn(['first', 'second', 'second']);
});

it('doesn’t draw the outcome of an earlier submission again if it comes late', async () => {
  const { client, outcomes, later, expectDrawn } = await setUp();
  const drawFirst = outcomes.of('V1');
  await outcomes.of('V1')(client, view('second'));
  await drawFirst(client, view('first'));
  await later();
  await expectDrawn(['second', 'first', 'second']);
});

it('doesn’t draw it again once it is no longer what the modal shows', async () => {
  const { client, outcomes, later, expectDrawn } = await setUp();
  await outcomes.of('V1')(client, view('first'), async () => false);
  await outcomes.of('V2')(client, view('second'), async () => true);
  await later();
  await expectDrawn(['first', 'second', 'second']);
});
