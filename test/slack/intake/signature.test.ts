import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { signatureOf } from '../../stand-ins/slack/signing.ts';
import { at } from '../../store/stores-under-test.ts';
import { command } from './deliveries.ts';
import { FORM_TYPE, SECRET, signed, startIntake } from './intake-under-test.ts';

const BODY = command('trigger-1');
const NOW = String(at(0).getTime() / 1000);
const genuine = signed(BODY, at(0), FORM_TYPE);
const { 'x-slack-signature': signature, ...unsigned } = genuine;

/** The intake with one command, and how often it ran. */
async function start() {
  const ran = vi.fn();
  const started = await startIntake((bolt) =>
    bolt.command('/design-request', async ({ ack }) => {
      ran();
      await ack();
    }),
  );
  return { ...started, ran };
}

/** A genuine signature for any timestamp. */
const stamped = (timestamp: string) => ({
  ...genuine,
  'x-slack-request-timestamp': timestamp,
  'x-slack-signature': signatureOf(SECRET, timestamp, BODY),
});

describe('a delivery signed by Slack', () => {
  it.each([-300, 300])('is accepted if the clock differs by %i s', async (seconds) => {
    const { post, ran } = await start();
    const { status } = await post(BODY, signed(BODY, at(seconds), FORM_TYPE));
    expect(status).toBe(200);
    expect(ran).toHaveBeenCalledOnce();
  });
});

describe('a delivery is refused', () => {
  it.each<[string, Record<string, string | string[]>]>([
    ['older than five minutes', signed(BODY, at(-301), FORM_TYPE)],
    ['from more than five minutes ahead', signed(BODY, at(301), FORM_TYPE)],
    ['without a signature', unsigned],
    ['of another version', { ...unsigned, 'x-slack-signature': signature.replace('v0', 'v1') }],
    ['signed twice', { ...unsigned, 'x-slack-signature': [signature, signature] }],
    ['signed falsely, then truly', { ...unsigned, 'x-slack-signature': ['v0=0', signature] }],
    ['without a timestamp', { 'content-type': FORM_TYPE, 'x-slack-signature': signature }],
    ['with two timestamps', { ...genuine, 'x-slack-request-timestamp': [NOW, NOW] }],
    [
      'with its body’s signature for another moment',
      { ...genuine, 'x-slack-request-timestamp': String(Number(NOW) + 1) },
    ],
  ])('%s', async (_name, headers) => {
    const { post, ran } = await start();
    const answer = await post(BODY, headers);
    expect(answer).toMatchObject({ status: 401, body: '{"error":"not_signed_by_slack"}' });
    expect(ran).not.toHaveBeenCalled();
  });

  it.each([
    '',
    'NaN',
    '-1',
    `${NOW}.5`,
    `${NOW}000`,
    '9'.repeat(400),
    `0x${Number(NOW).toString(16)}`,
  ])('if signed with the timestamp "%s"', async (timestamp) => {
    const { post, ran } = await start();
    expect(await post(BODY, stamped(timestamp))).toMatchObject({ status: 401 });
    expect(ran).not.toHaveBeenCalled();
  });

  it('if any bit of its bytes or its signature was flipped', async () => {
    const { post, ran } = await start();
    const bytes = Buffer.from(BODY);
    const hex = Buffer.from(signature.slice(3), 'hex');
    const flip = (source: Buffer, bit: number) => {
      const flipped = Buffer.from(source);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return flipped;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.nat(bytes.length * 8 - 1).map((bit) => ({ body: flip(bytes, bit), headers: genuine })),
          fc.nat(hex.length * 8 - 1).map((bit) => ({
            body: bytes,
            headers: { ...genuine, 'x-slack-signature': `v0=${flip(hex, bit).toString('hex')}` },
          })),
        ),
        async ({ body, headers }) => {
          expect(await post(body, headers)).toMatchObject({ status: 401 });
        },
      ),
      { numRuns: 200 },
    );
    expect(ran).not.toHaveBeenCalled();
  });
});
