/**
 * What bounds each figure that has missed its bar, by profile on two cores. The benchmark prints it
 * below a missed bar; docs/benchmarks.md explains it.
 */
export const bounds = {
  job:
    'the match thread, two thirds of it in the graded comparison; the CPU of a row by thread is ' +
    'in the figures.',
  pages:
    'the HTTP thread, and the collector: every 33rd page of 50 rows waits 1 ms for it, so the ' +
    'p99 is 1 ms above the usual page, of which a fifth is the ids of own lists.',
  messyRows:
    'no step alone. Of the match thread, a fifth is finding organisations (a row aligns 39 names ' +
    'with its texts), a fifth reading the cells, a sixth ruling out 35 people and weighing 4, a ' +
    'seventh the exact passes, an eighth listing the people.',
  clients:
    'the two cores: the HTTP thread is idle for more than half of the job, and waits for a core ' +
    'while the match threads and the writer run. Compare with the idle engine of the same run.',
  directories:
    'more candidates for each row, and an index that is larger than the caches of the processor.',
  sharedGrowth:
    'matching itself: more people have the names and the employers of a row. In memory it grows ' +
    'as much; the rest is what is fetched for these people.',
} as const;
