import { describe, expect, it } from 'vitest';
import { readSection } from '../crash/page.ts';
import { drawDiagram } from './diagram.ts';
import { explore } from './explore.ts';
import { SAFEGUARDS, type Safeguard } from './protocol/safeguards.ts';
import type { Status } from './protocol/state.ts';
import { QUICK_SCOPES, SCOPE_OF_MUTATIONS } from './scopes.ts';
import { STANDS_FOR } from './stands-for.ts';
import { inWords } from './words.ts';

/** No assertion is timed; this only ends a test that hangs. */
const HANGS_AFTER_MS = 300_000;

describe('the model of sending', { timeout: HANGS_AFTER_MS }, () => {
  it.each(QUICK_SCOPES)('keeps its invariants: $name', ({ scope }) => {
    const { found } = explore({ scope }, { isReduced: true });
    expect(found && [...found.trace.map(inWords), found.violation]).toBeUndefined();
  });

  it('takes every transition, and every one stands for functions of the app', () => {
    const taken = new Set<string>();
    const reached = new Set<Status>();
    const scope = { ...SCOPE_OF_MUTATIONS, interruptions: 1 };
    explore(
      { scope },
      {
        onStep(_, { happened, next }) {
          taken.add(happened.name);
          for (const { status } of next.requests) reached.add(status);
        },
      },
    );
    expect([...taken].sort()).toEqual(Object.keys(STANDS_FOR).sort());
    expect(Object.values(STANDS_FOR).flat()).not.toContain('');
    expect([...reached].sort()).toEqual(
      ['created', 'discarded', 'in_doubt', 'queued', 'rejected', 'sending'].sort(),
    );
  });

  it.each(Object.keys(SAFEGUARDS) as Safeguard[])('breaks an invariant without %s', (without) => {
    const { found } = explore({ scope: SCOPE_OF_MUTATIONS, without }, { isReduced: true });
    expect(found).toBeDefined();
  });

  it('is the source of the diagram in docs/reliability.md', async () => {
    expect(await readSection('states')).toBe(drawDiagram());
  });
});
