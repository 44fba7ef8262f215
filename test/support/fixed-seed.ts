import fc from 'fast-check';

/** Properties try the same inputs each time, so that no change fails by chance; FUZZ_SEED=N tries others. */
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20_261_201) });
