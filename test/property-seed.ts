// Sets the seed of property tests. `npm test` uses one seed, so that two runs of the same sources
// agree; `npm run test:full` searches for new counterexamples. A failure prints its seed.
import fc from 'fast-check';

const seed = process.env.DESK_TEST_SEED;
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed ?? 1) });
