import fc from 'fast-check';

// The same inputs in every run, so that a red run is about the change and not about luck. To look further:
// PROPERTY_SEED=$RANDOM npm test
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_101) });
