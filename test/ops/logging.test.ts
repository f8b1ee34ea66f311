import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/ops/logging.ts';
import { secretsOf } from '../../src/ops/secrets.ts';
import { anyCharacter } from '../any-text.ts';

const TOKENS = [
  'xoxb-111-222-AbCdEf',
  'xoxp-1-2-3-abc',
  'xapp-1-A0-2-abcdef',
  'xoxe.xoxb-1-Mi0yLTE',
  'xoxe-1-Mi0xLTA',
  'xwfp-1-2-3',
];

function logWith(secrets: readonly string[] = []) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { log: createLog({ level: 'trace', secrets, destination }), lines };
}

/** Every way in which text can get into a log line. */
function logEverywhere(text: string, secrets: readonly string[]) {
  const { log, lines } = logWith(secrets);
  const cause = new Error(`the cause: ${text}`);
  const error = Object.assign(new Error(`failed with ${text}`, { cause }), { code: text });
  error.name = text;
  log.error({ err: error, nested: { list: [text] }, [text]: 1 }, `the message: ${text}`);
  log.info({ err: text }, `before\n${text}\tafter`);
  log.child({ bound: text }).debug(`a%20${text}%20b`);
  log.warn({ url: `https://example.com/?token%3D${text}` });
  return lines.join('');
}

describe('a Slack token', () => {
  it.each(TOKENS)('%s is hidden wherever it appears', (token) => {
    const written = logEverywhere(token, []);
    expect(written).not.toContain(token);
    expect(written).not.toContain(token.slice(token.indexOf('-') + 1));
    expect(written).toContain('failed with [hidden]');
  });

  it('is hidden without hiding the text around it', () => {
    const { log, lines } = logWith();
    log.warn({ call: 'auth.test' }, 'refused (xoxb-1-2), asked again');
    expect(JSON.parse(lines.join(''))).toMatchObject({
      level: 'warn',
      call: 'auth.test',
      msg: 'refused ([hidden]), asked again',
    });
  });
});

describe('a secret from the configuration', () => {
  const secret = fc.string({ unit: anyCharacter, minLength: 8 });

  it('is hidden wherever it appears, whatever characters it contains', () => {
    fc.assert(
      fc.property(secret, (text) => {
        const written = logEverywhere(text, [text]);
        const escaped = JSON.stringify(text).slice(1, -1);
        expect(written).not.toContain(escaped);
        for (const line of written.trim().split('\n')) {
          expect(JSON.stringify(JSON.parse(line))).not.toContain(escaped);
        }
      }),
    );
  });

  it('is hidden completely even if another secret is a prefix of it', () => {
    const { log, lines } = logWith(['sesame-1', 'sesame-1-extended']);
    log.info('open sesame-1-extended');
    expect(lines.join('')).toContain('open [hidden]"');
  });

  it('is any of those that an operator sets', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const env = {
      SLACK_BOT_TOKEN: 'xoxb-bot',
      SLACK_SIGNING_SECRET: 'f00d'.repeat(8),
      DESIGN_API_BASE_URL: 'https://api.example.com',
      DESIGN_API_KEY: 'dsk_service',
      CARD_URL_TEMPLATE: 'https://app.example.com/{id}',
      ENCRYPTION_KEYS: `k1:${key}`,
      METRICS_TOKEN: 'metrics-token',
    };
    expect(secretsOf(parseConfig(env)).sort()).toEqual(
      ['xoxb-bot', 'f00d'.repeat(8), 'dsk_service', key, 'metrics-token'].sort(),
    );
    expect(secretsOf(parseConfig({ ...env, SLACK_APP_TOKEN: 'xapp-1' }))).toContain('xapp-1');
  });
});

describe('a logged error', () => {
  it('includes its code and cause, and nothing that a library attached to it', () => {
    const { log, lines } = logWith();
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const error = new TypeError('no answer', { cause });
    Object.assign(error, { request: { headers: { 'x-api-key': 'k' } }, body: 'a whole page' });
    log.error({ err: error }, 'failed');
    const line = JSON.parse(lines.join(''));
    expect(line.err).toEqual({
      type: 'TypeError',
      message: 'no answer',
      stack: error.stack,
      cause: {
        type: 'Error',
        message: 'connect ECONNREFUSED',
        code: 'ECONNREFUSED',
        stack: cause.stack,
      },
    });
  });

  it('may be its own cause, and one of its own errors', () => {
    const { log, lines } = logWith();
    const error = new AggregateError([], 'round and round');
    error.cause = error;
    error.errors.push(error);
    log.error({ err: error }, 'failed');
    expect(lines.join('')).toContain('round and round');
  });

  it('lists the errors of an AggregateError wherever it is in the chain, up to ten', () => {
    const { log, lines } = logWith();
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', request: 'r' });
    const cause = new AggregateError([refused, 'a text', ...Array(20).fill(refused)]);
    log.error({ err: new Error('no answer', { cause }) }, 'failed');
    const { errors } = JSON.parse(lines.join('')).err.cause;
    expect(errors).toHaveLength(10);
    expect(errors[0]).toMatchObject({ message: 'refused', code: 'ECONNREFUSED' });
    expect(errors[0]).not.toHaveProperty('request');
    expect(errors[1]).toEqual({ message: 'a text' });
  });

  it('includes a cause that is a code', () => {
    const { log, lines } = logWith();
    log.error({ err: new Error('no answer', { cause: 'ECONNRESET' }) }, 'failed');
    expect(JSON.parse(lines.join('')).err.cause).toBe('ECONNRESET');
  });

  it('may be any value that was thrown', () => {
    const { log, lines } = logWith();
    for (const thrown of ['text', undefined, null, 7, { toString: () => 'an object' }]) {
      log.error({ err: thrown }, 'failed');
    }
    expect(lines).toHaveLength(5);
  });
});

it('a log line has time and level, and nothing about the machine', () => {
  const { log, lines } = logWith();
  log.info({ workspace: 'T1' }, 'ready');
  const line = JSON.parse(lines.join(''));
  expect(Object.keys(line)).toEqual(['level', 'time', 'workspace', 'msg']);
  expect(Number.isNaN(Date.parse(line.time))).toBe(false);
});
