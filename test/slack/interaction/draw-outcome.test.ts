import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { buildNotice, createOutcomes } from '../../../src/slack/interaction/views.ts';
import { clientOf, log } from '../client/answering.ts';

const REDRAWN_AFTER_MS = 1_500;
const view = (shown: string) => buildNotice({ title: 'Outcome', text: shown });

afterEach(() => void vi.useRealTimers());

it('doesn’t draw the outcome of an earlier submission again if it comes late', async () => {
  const drawn: string[] = [];
  const { client } = await clientOf(async (request, response) => {
    const body = new URLSearchParams(await text(request));
    drawn.push(/first|second/.exec(body.get('view') ?? '')?.[0] ?? '');
    response.end('{"ok":true}');
  });
  // Time stands still, and Node's own timers go on.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const outcomes = createOutcomes({ log });
  const drawFirst = outcomes.of('V1');
  await outcomes.of('V1')(client, view('second'));
  await drawFirst(client, view('first'));
  await vi.advanceTimersByTimeAsync(REDRAWN_AFTER_MS);
  vi.useRealTimers();
  await expect.poll(() => drawn).toEqual(['second', 'first', 'second']);
});
