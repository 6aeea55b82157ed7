/**
 * What bounds each figure that has missed its bar, by profile on two cores. The benchmark prints it
 * below a missed bar; docs/benchmarks.md explains it.
 */
export const bounds = {
  job:
    'the match thread, two thirds of it in the graded comparison; the CPU of a row by thread is ' +
    'in the figures.',
  pages:
    'the HTTP thread: a quarter of its CPU finds repairs of cells, a fifth the ids of own lists, ' +
    'and a seventh the rows of a status.',
  clients:
    'the two cores: the HTTP thread is idle for more than half of the job, and waits for a core ' +
    'while the match threads and the writer run. Compare with the idle engine of the same run.',
  import:
    'normalising in the reading thread, a third of the CPU time, and the inserts and indexes of ' +
    'the directory thread, another third. Passing rows between them takes a twentieth.',
  idleMemory:
    'the two indexes of 1,000,000 people (201 MB), the engine and its threads (125 MB), and ' +
    'freed blocks that the allocator keeps.',
  directories:
    'more candidates for each row, and an index that is larger than the caches of the processor.',
  sharedGrowth:
    'matching itself: more people have the names and the employers of a row. In memory it grows ' +
    'as much; the rest is what is fetched for these people.',
} as const;
