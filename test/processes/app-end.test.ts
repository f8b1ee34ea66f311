import { describe, expect, it } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { logOf, openSetting, type Setting, sendRequest, startApp } from './app.ts';

const ENDED_WELL = { code: 0, signal: null };
/** After SIGTERM, the app's timers run eight times as fast. */
const HURRIED_STOP = `process.once('SIGTERM', () => {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (run, ms, ...given) => setTimeout(run, ms / 8, ...given);
})`;

const cardCalls = ({ stage }: Setting) => stage.service.calls({ operation: 'createCard' });
const confirmations = ({ stage }: Setting) =>
  stage.acme.messages(stage.general).filter(({ botId }) => botId !== undefined);
const notes = ({ stage }: Setting) => stage.acme.directMessages(stage.ann).map(textOfMessage);

describe('stopping the app', { timeout: 60_000 }, () => {
  it('doesn’t wait for a service that never answers; then the author is asked, and nothing is resent', async () => {
    const setting = await openSetting();
    const { service, slack } = setting.stage;
    service.faults.add({ kind: 'hang', executed: true, operation: 'createCard' });
    const app = await startApp(setting, { preload: HURRIED_STOP });
    await sendRequest(setting);
    await expect.poll(() => cardCalls(setting).length).toBe(1);
    app.kill('SIGTERM');
    await app.until(() => logOf(app).find(({ msg }) => msg === 'stopping'), 'that it stops');
    // Platforms may repeat it.
    app.kill('SIGTERM');
    expect(await app.ended).toEqual(ENDED_WELL);
    expect(logOf(app).at(-1)?.msg).toMatch(/^stopped with unfinished work/);

    service.faults.clear();
    const next = await startApp(setting);
    await slack.until(() => notes(setting)[0], 'the question to its author');
    next.kill('SIGTERM');
    expect(await next.ended).toEqual(ENDED_WELL);
    expect(notes(setting)).toEqual([
      expect.stringMatching(/Did this request arrive.*Found it.*Not there, send again.*Discard/s),
    ]);
    expect(confirmations(setting)).toHaveLength(0);
    expect(cardCalls(setting)).toHaveLength(1);
  });
});
