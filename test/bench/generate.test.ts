// The generated data of the benchmarks are the same on every machine, because ratios are comparable
// only for the same data.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate } from '../../bench/generate.ts';

const sizes = { people: 500, companies: 50, rows: 500, seed: 42 };
// Hashes of the files with which the bars of docs/benchmarks.md were set.
const hashes = {
  companies: '6e461fcd06f282f704a73cd7aa92ca562957f8fa157a4723d27d7fb6229b3081',
  people: '256348d7274663118a29b274f6fc2cdaeb5d55b3a21077ef33f080c305fa4ac5',
  list: 'bb045907e5bd129daf95b9be9ea32ffa42e284469935587fba3c7010f9ad5d0e',
  truth: '610f0ad3761edb50b3c43115356f2c479e90d0b230b313b49357b8a842762d1b',
};

test('the generated directory and list equal, to the byte, those with which the bars were set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-made-up-'));
  try {
    const files = Object.entries(generate(folder, sizes));
    const made = files.map(([name, path]) => {
      const hash = createHash('sha256').update(readFileSync(path));
      return [name, hash.digest('hex')];
    });
    expect(Object.fromEntries(made)).toEqual(hashes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
