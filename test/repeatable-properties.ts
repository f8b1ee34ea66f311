import fc from 'fast-check';

// The same inputs in every run, so that a failure is caused by the change and not by chance.
// Other inputs: PROPERTY_SEED=$RANDOM npm test
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_101) });

/** How many inputs a property is tried with. More: PROPERTY_RUNS=1000000 npx vitest … --testTimeout 0 */
export const propertyRuns = (usual: number) => Number(process.env.PROPERTY_RUNS ?? usual);
