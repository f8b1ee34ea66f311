import fc from 'fast-check';

// The same inputs in every run, so that a failure is caused by the change and not by chance.
// Other inputs: PROPERTY_SEED=$RANDOM npm test
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_101) });
