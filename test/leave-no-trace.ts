/** Every file of rules leaves its process as it was: the next file runs in the same one. */
import { afterAll, beforeAll, expect } from 'vitest';

const describeProcess = () => ({
  environment: { ...process.env },
  folder: process.cwd(),
  own: [globalThis.fetch, Date, process.stdout.write, process.stderr.write],
});

let before: ReturnType<typeof describeProcess>;
beforeAll(() => {
  before = describeProcess();
});
afterAll(() => {
  expect(describeProcess()).toEqual(before);
});
