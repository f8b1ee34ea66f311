import { describe, expect, it } from 'vitest';
import { drawDiagram, readDiagram } from './diagram.ts';
import { explore } from './explore.ts';
import { SAFEGUARDS, type Safeguard } from './protocol/safeguards.ts';
import type { Status } from './protocol/state.ts';
import { inWords, QUICK_SCOPES, SCOPE_OF_MUTATIONS } from './run-model.ts';
import { STANDS_FOR } from './stands-for.ts';

/** No assertion is timed; this only ends a test that hangs. */
const HANGS_AFTER_MS = 300_000;

describe('the model of sending', { timeout: HANGS_AFTER_MS }, () => {
  it.each(QUICK_SCOPES)('keeps its invariants: $name', ({ scope }) => {
    const { found } = explore({ scope });
    expect(found && [...found.trace.map(inWords), found.violation]).toBeUndefined();
  });

  it('takes every transition, and every one stands for functions of the app', () => {
    const taken = new Set<string>();
    const reached = new Set<Status>();
    const scope = { ...SCOPE_OF_MUTATIONS, interruptions: 1 };
    explore({ scope }, (_, { happened, next }) => {
      taken.add(happened.name);
      for (const { status } of next.requests) reached.add(status);
    });
    expect([...taken].sort()).toEqual(Object.keys(STANDS_FOR).sort());
    expect([...reached].sort()).toEqual(
      ['created', 'discarded', 'in_doubt', 'queued', 'rejected', 'sending'].sort(),
    );
  });

  it.each(Object.entries(SAFEGUARDS))('breaks an invariant without %s: %s', (without) => {
    const rules = { scope: SCOPE_OF_MUTATIONS, without: without as Safeguard };
    expect(explore(rules).found).toBeDefined();
  });

  it('is the source of the diagram in docs/reliability.md', async () => {
    expect(await readDiagram()).toBe(drawDiagram());
  });
});
