import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAIN_ENTRY } from '../../fresh-bundle.ts';
import { addressesAsLines } from '../addresses.ts';
import { openStage, type Stage } from '../stage.ts';
import { AppNotReadyError, type AppProcess, startAppProcess } from '../start-app-process.ts';
import { createScene } from '../walk/scene.ts';
import { WalkError, walk } from '../walk/walk.ts';

async function open(): Promise<{ stage: Stage; app: AppProcess }> {
  const folder = await mkdtemp(join(tmpdir(), 'design-request-walk-'));
  const stage = await openStage();
  const app = await startAppProcess(stage.environment(folder), { entry: MAIN_ENTRY });
  stage.connect(app.url);
  onTestFinished(async () => {
    await app.stop();
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { stage, app };
}

/** A stage on which nobody waits long for one thing. */
function impatient(stage: Stage, what: string): Stage {
  const until: Stage['slack']['until'] = (read, wanted, timeoutMs) =>
    stage.slack.until(read, wanted, wanted === what ? 500 : timeoutMs);
  return { ...stage, slack: { ...stage.slack, until } };
}

function walkOn(stage: Stage) {
  const printed: string[] = [];
  const print = (lines: string | readonly string[]) => void printed.push(...[lines].flat());
  return { printed, done: walk(createScene(stage, print)) };
}

describe('the walk', { timeout: 60_000 }, () => {
  it('shows the form, the card, the confirmation, and the unfurl as they really are', async () => {
    const { stage } = await open();
    const { done, printed } = walkOn(stage);
    const cardId = await done;
    const shown = printed.join('\n');

    const card = stage.service.cards.get(cardId);
    expect(card).toMatchObject({ title: 'Spring banner', productType: 'Graphics' });
    expect(shown).toContain(`"id": "${cardId}"`);
    const reference = /DR-\w+/.exec(card?.description ?? '')?.[0] ?? 'none';
    expect(shown).toMatch(new RegExp(`To do · .* · ${reference}`));
    expect(shown).toContain('│ Product *: —\n');
    expect(shown).toContain('│ Product *: Graphics\n');
    expect(shown).toContain('@Ann in #general\n│ Have a look:');
    expect(shown).toMatch(/│ .*To do(.|\n)*Redrawn after(.|\n)*│ .*In review/);
    expect(shown).not.toContain(stage.service.apiKey);
  });

  it('says which step failed and why', async () => {
    const { stage } = await open();
    stage.service.revokeKey(stage.service.apiKey);
    const { done } = walkOn(stage);
    await expect(done).rejects.toThrow(WalkError);
    await expect(done).rejects.toThrow(
      '“1. The design service is connected” failed: The key was not accepted.',
    );
  });

  it('says if the app refuses the request or creates no card', async () => {
    const { stage } = await open();
    stage.service.faults.add({ kind: 'status', status: 503, operation: 'createCard' });
    await expect(walkOn(impatient(stage, 'the confirmation in #general')).done).rejects.toThrow(
      /^“4. The request is sent” failed: Waited \d+ ms in vain for: the confirmation/,
    );
  });

  it('says if the app doesn’t acknowledge', async () => {
    const { stage, app } = await open();
    await app.stop();
    await expect(walkOn(stage).done).rejects.toThrow(
      /^“1. .*” failed: The app did not acknowledge the command: connection_failed$/,
    );
    expect(await app.ended).toBe('it ended with exit code 0');
  });
});

describe('the app as a process', { timeout: 60_000 }, () => {
  it('that doesn’t start shows its last output', async () => {
    const failure = await startAppProcess({}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppNotReadyError);
    expect(failure).toMatchObject({
      message: 'The app did not start: it ended with exit code 1.',
      logLines: expect.arrayContaining([expect.stringContaining('SLACK_BOT_TOKEN is missing')]),
    });
  });

  it('that isn’t ready in time is ended', async () => {
    const stage = await openStage();
    onTestFinished(() => stage.close());
    await expect(
      startAppProcess(stage.environment(tmpdir()), { readyWithinMs: 1 }),
    ).rejects.toThrow(
      'The app did not start: it was not ready within 0.001 s; this machine may be busy.',
    );
  });

  it('is ended when it is no longer needed', async () => {
    await expect(startAppProcess({}, { signal: AbortSignal.abort() })).rejects.toThrow(
      'it was stopped before',
    );
  });
});

describe('the next steps', () => {
  it('fit into 80 columns and name every address', async () => {
    const stage = await openStage();
    onTestFinished(() => stage.close());
    const appUrl = 'http://127.0.0.1:40000';
    const pagesUrl = 'http://127.0.0.1:4380';
    const lines = addressesAsLines(stage, { appUrl, pagesUrl, cardId: 'card-1009' });
    const text = lines.join('\n');
    for (const named of [
      appUrl,
      pagesUrl,
      stage.slack.apiUrl,
      stage.service.url,
      stage.service.apiKey,
    ]) {
      expect(text).toContain(named);
    }
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});
