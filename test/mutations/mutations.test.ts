import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SAFEGUARDS } from '../model/protocol/safeguards.ts';
import { PROJECT } from './mutated-copy.ts';
import { mutate } from './mutation.ts';
import { MUTATIONS } from './mutations.ts';

describe('mutations', () => {
  it.each(MUTATIONS)('still apply: $safeguard', async (mutation) => {
    const source = await readFile(join(PROJECT, mutation.file), 'utf8');
    expect(mutate(source, mutation)).not.toBe(source);
  });

  it('take out every safeguard that the model has', () => {
    const mutated = MUTATIONS.map(({ safeguard }) => safeguard);
    expect(mutated).toEqual(expect.arrayContaining(Object.values(SAFEGUARDS)));
  });
});
