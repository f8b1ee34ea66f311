import { signatureOf } from '../stand-ins/slack/signing.ts';
import type { Chance } from './random.ts';
import type { SignedBytes } from './signed-bytes.ts';

const SIGNATURE = 'x-slack-signature';
const TIMESTAMP = 'x-slack-request-timestamp';
const DAY_SECONDS = 24 * 60 * 60;
/** One second beyond Slack's five minutes, either way, and a day. */
const OFF_BY_SECONDS = [-301, 302, DAY_SECONDS, -DAY_SECONDS];

/** Every way of being almost signed: one forgery of each kind, with different flipped bits each time. */
export function forgeriesOf(genuine: SignedBytes, secret: string, chance: Chance): SignedBytes[] {
  const { headers, body } = genuine;
  const signature = String(headers[SIGNATURE]);
  const timestamp = String(headers[TIMESTAMP]);
  const signedBy = (key: string, at: number): SignedBytes => ({
    body,
    headers: { ...headers, [TIMESTAMP]: String(at), [SIGNATURE]: signatureOf(key, at, body) },
  });
  const withHeader = (name: string, value: string | string[]): SignedBytes => ({
    body,
    headers: { ...headers, [name]: value },
  });
  const without = (name: string): SignedBytes => ({
    body,
    headers: Object.fromEntries(Object.entries(headers).filter(([given]) => given !== name)),
  });
  const now = Math.floor(Date.now() / 1_000);
  return [
    ...OFF_BY_SECONDS.map((off) => signedBy(secret, now + off)),
    signedBy(`${secret}x`, now),
    { headers, body: withFlippedBit(body, chance) },
    withHeader(SIGNATURE, `v0=${withOtherDigit(signature.slice('v0='.length), chance)}`),
    withHeader(TIMESTAMP, withOtherDigit(timestamp, chance)),
    withHeader(SIGNATURE, signature.replace('v0=', 'v1=')),
    withHeader(SIGNATURE, [signature, signature]),
    withHeader(SIGNATURE, [signature, signature.replace('v0=', 'v1=')]),
    withHeader(TIMESTAMP, [timestamp, timestamp]),
    withHeader(TIMESTAMP, 'now'),
    withHeader(SIGNATURE, ''),
    withHeader(SIGNATURE, 'v0='),
    without(SIGNATURE),
    without(TIMESTAMP),
  ];
}

/** In the lowest four bits, so that printable text stays printable. */
function withFlippedBit(text: string, chance: Chance): string {
  const at = chance.below(text.length);
  const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << chance.below(4)));
  return text.slice(0, at) + flipped + text.slice(at + 1);
}

function withOtherDigit(digits: string, chance: Chance): string {
  const at = chance.below(digits.length);
  const other = digits[at] === '0' ? '1' : '0';
  return digits.slice(0, at) + other + digits.slice(at + 1);
}
