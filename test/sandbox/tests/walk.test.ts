import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MAIN_ENTRY } from '../../fresh-bundle.ts';
import { openStage, type Stage } from '../stage.ts';
import { startAppProcess } from '../start-app-process.ts';
import { createScene } from '../walk/scene.ts';
import { walk } from '../walk/walk.ts';

async function open() {
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

it('the walk shows the form, the card, the confirmation, and the unfurl as they are', async () => {
  const { stage, app } = await open();
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
  await app.stop();
  expect(await app.ended).toBe('it ended with exit code 0');
  await expect(walkOn(stage).done).rejects.toThrow(
    /^“1. .*” failed: The app did not acknowledge the command: connection_failed$/,
  );
});

it('the walk says which step failed and why', async () => {
  const { stage } = await open();
  const { service } = stage;
  service.revokeKey(service.apiKey);
  await expect(walkOn(stage).done).rejects.toThrow(
    '“1. The design service is connected” failed: The key was not accepted.',
  );
  await stage.acme.as(stage.ada).close();
  service.issueKey({ key: service.apiKey });
  service.faults.add({ kind: 'status', status: 503, operation: 'createCard' });
  await expect(walkOn(impatient(stage, 'the confirmation in #general')).done).rejects.toThrow(
    /^“4. The request is sent” failed: Waited \d+ ms in vain for: the confirmation/,
  );
});

it('an app that doesn’t start shows its last output', async () => {
  await expect(startAppProcess({})).rejects.toMatchObject({
    message: 'The app did not start: it ended with exit code 1.',
    logLines: expect.arrayContaining([expect.stringContaining('SLACK_BOT_TOKEN is missing')]),
  });
});
