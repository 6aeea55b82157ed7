/**
 * What bounds each figure that has missed its bar, by profile on two cores. The benchmark prints it
 * below a missed bar; docs/benchmarks.md explains it.
 */
export const bounds = {
  job:
    'the match thread, two thirds of it in the graded comparison. A row takes 68 µs of CPU ' +
    'there, 21 µs in the writer and 12 µs in the HTTP server.',
  pages:
    'the HTTP thread, which takes 1.1 to 2.8 ms of CPU for a page of 50 rows: a quarter of it ' +
    'finds the ids of own lists, a fifth repairs, and a seventh writes JSON.',
  clients:
    'the two cores: the HTTP thread is idle for more than half of the job, and waits for a core ' +
    'while the match threads and the writer run. Compare with the idle engine of the same run.',
  import:
    'the reading thread (splitting, hashing, normalising) and the directory thread (inserts and ' +
    'indexes), about half of the CPU time each. Remembering cells costs as much as it saves.',
  idleMemory:
    'the two indexes of 1,000,000 people (201 MB), the engine and its threads (125 MB), and ' +
    'freed blocks that the allocator keeps.',
  directories:
    'more candidates for each row, and an index that is larger than the caches of the processor.',
  sharedGrowth:
    'matching itself: more people have the names and the employers of a row. In memory it grows ' +
    'as much; the rest is what is fetched for these people.',
} as const;
