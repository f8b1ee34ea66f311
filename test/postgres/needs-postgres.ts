import { inject } from 'vitest';

const problem = inject('postgresProblem');
// Each file fails with it, so without a stack.
if (problem) throw Object.assign(new Error(problem), { stack: problem });
